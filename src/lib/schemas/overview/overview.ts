import { z } from 'zod';
import { ChatMessage } from '../chat.ts';
import { Time } from '../common.ts';
import { OnlinePlayer } from '../live.ts';

/** What the overview shows beside the state. A part is null while it is unknown, or cannot be queried. */
export const Cockpit = z.object({
	online: z.array(OnlinePlayer),
	/** The last ones, oldest first. */
	chat: z.array(ChatMessage).nullable(),
	nextTask: z.object({ at: Time, words: z.string() }).or(z.literal('none')).nullable(),
	/** The newest good one. */
	backup: z.object({ id: z.string(), at: Time, bytes: z.int() }).or(z.literal('none')).nullable(),
	/** Of the disk of the server's folder. */
	disk: z.object({ freeBytes: z.number(), totalBytes: z.number() }).nullable(),
	/** Of the machine, or of the container. */
	memory: z.object({ freeBytes: z.number(), totalBytes: z.number() }).nullable(),
	/** Some of it is being found out, and known in a moment. */
	pending: z.boolean()
});
export type Cockpit = z.infer<typeof Cockpit>;

/** What has been tried in the demo. */
export type Tour = {
	/** The search for a mod to blame that is under way. */
	search: string | null;
	/** What has named the bad mod first: an update that failed because of it, or the search that followed. */
	named: string | null;
	/** The mods were updated after that. */
	updated: boolean;
	/** How many updates are still on offer, the bad one left out; null while that is not known. */
	left: number | null;
	/** The newest installation of a mod that was rolled back. */
	rolledBack: string | null;
	/** One upgrade went well, and another one did not. */
	upgraded: boolean;
	/** The game is a newer one now than in the beginning. */
	newer: boolean;
};
