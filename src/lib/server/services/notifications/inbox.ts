import { z } from 'zod';
import { InboxEntry } from '#schemas/notifications/channel';
import type { StateFile } from '#storage/state-file';
import type { Answer } from './kinds/index.ts';
import type { Message } from './message.ts';

/** What would have arrived if the demo had real recipients. */
export interface Inbox {
	add(message: Message, channel: string): Promise<Answer>;
	/** Newest first. */
	list(): Promise<InboxEntry[]>;
}

export const InboxFile = z.object({ entries: z.array(InboxEntry) });
const KEPT = 50;

export function createInbox(file: StateFile<z.infer<typeof InboxFile>>): Inbox {
	return {
		async add({ at, title, text, url }, channel) {
			await file.update(({ entries }) => ({
				entries: [{ at, channel, title, text, url }, ...entries].slice(0, KEPT)
			}));
			const words = 'It is in the inbox below.';
			return { outcome: 'delivered', words, retryAfterMs: null, status: null, answer: null };
		},
		async list() {
			const { entries } = await file.read();
			// A message that was held back arrives after what happened later.
			return entries.toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
		}
	};
}
