import { setImmediate as turn } from 'node:timers/promises';
import path from 'node:path';
import { systemClock, type Clock } from '#core/clock';
import { createStateFile } from '#storage/state-file';
import type { Answer } from '../../../src/lib/server/services/notifications/kinds/index.ts';
import { createQueue } from '../../../src/lib/server/services/notifications/queue/index.ts';
import {
	createDispatcher,
	NOTHING_TOLD,
	DispatcherState
} from '../../../src/lib/server/services/notifications/dispatcher.ts';

export const CHANNELS = ['a'.repeat(16), 'b'.repeat(16)];

/** Stands still, so that the names of files are the same in each run; pauses are short. */
const clock: Clock = {
	...systemClock,
	now: () => new Date('2026-01-02T03:04:05.000Z'),
	sleep: (_, signal) => systemClock.sleep(1, signal)
};
const delivered: Answer = {
	...{ outcome: 'delivered', words: 'Delivered.', retryAfterMs: null },
	...{ status: 200, answer: null }
};

/** The noise rules and the queue for two channels in this folder, with a service that takes everything. */
export async function openNotices(dir: string, received: (channel: string, id: string) => void) {
	const quiet = () => {};
	const log = { info: quiet, warn: quiet, error: quiet };
	const queue = createQueue({
		...{ dir: path.join(dir, 'queue'), clock, log, random: () => 0 },
		async send(channel, { id }) {
			received(channel[0]!, id);
			return delivered;
		},
		gone: async () => {}
	});
	const dispatcher = createDispatcher({
		...{ clock, log, add: (channel, message) => queue.add(channel, message) },
		file: createStateFile({
			...{ file: path.join(dir, 'noise.json'), schema: DispatcherState, version: 1 },
			...{ defaults: NOTHING_TOLD, warn: quiet }
		}),
		place: async () => ({ name: 'Survival', publicUrl: null }),
		recipients: async () =>
			CHANNELS.map((id) => ({
				...{ id, kind: 'webhook', events: ['mods.failed'], enabled: true, gone: null }
			}))
	});
	await queue.open(CHANNELS.map((id) => ({ id, enabled: true })));
	return {
		/** What became of the n-th operation. */
		tell: (n: number) =>
			dispatcher.tell([
				{
					...{
						id: `${n}`,
						event: 'mods.failed',
						subject: `op${n}`,
						at: '2026-01-02T03:04:05.000Z'
					},
					...{ lasts: null, facts: {} }
				}
			]),
		async idle() {
			while (CHANNELS.some((id) => queue.stateOf(id).waiting > 0)) await turn();
		},
		async close() {
			await dispatcher.close();
			await queue.close();
		}
	};
}
