import type { Clock } from '#core/clock';
import { createOutage } from '#core/log';
import { createSerial } from '#core/serial';
import type { Answer } from '../kinds/index.ts';
import type { Message } from '../message.ts';
import { createLane, type Lane } from './lane.ts';
import { createQueueStore } from './store.ts';

/** What is to be delivered, on disk until the service has it: survives a kill at any moment. */
export interface Queue {
	/** Takes up what was left; `channels` are those that may send. What belongs to none is removed. */
	open(channels: { id: string; enabled: boolean }[]): Promise<void>;
	/** On disk when it resolves; where the disk refuses, it is delivered from memory. */
	add(channel: string, message: Message, ttlMs?: number): Promise<void>;
	/** The channel was made, changed, or turned on or off: what waits is tried again at once, or not at all. */
	reset(channel: string, enabled: boolean): Promise<void>;
	drop(channel: string): Promise<void>;
	stateOf(channel: string): Pick<Lane, 'waiting' | 'problem' | 'lastSentAt'>;
	close(): Promise<void>;
}

type Deps = {
	dir: string;
	send: (channel: string, message: Message, signal: AbortSignal) => Promise<Answer>;
	gone: (channel: string, words: string) => Promise<void>;
	clock: Clock;
	random?: () => number;
	log: {
		warn(message: string, facts?: { cause?: unknown }): void;
		info(message: string, facts?: object): void;
		error(message: string, facts?: { cause?: unknown }): void;
	};
};

export const TTL_MS = 24 * 3_600_000;
const NOTHING = { waiting: 0, problem: null, lastSentAt: null };

export function createQueue(deps: Deps): Queue {
	const { clock, log, random = Math.random } = deps;
	const store = createQueueStore(deps.dir, log.warn);
	const lanes = new Map<string, Lane>();
	const turns = createSerial();
	let seq = 0;
	const outage = createOutage({
		begins: (facts) =>
			log.warn(
				'Notifications cannot be written to disk: they are sent, but a restart loses them',
				facts
			),
		ends: (facts) => log.info('Notifications are written to disk again', facts)
	});

	/** Never goes back, also when the clock does. */
	const nextSeq = () => (seq = Math.max(seq + 1, clock.now().getTime() * 100));

	async function openLane(id: string, items: Awaited<ReturnType<typeof store.load>>) {
		await lanes.get(id)?.close();
		const lane = createLane(items.get(id) ?? [], {
			send: (message, signal) => deps.send(id, message, signal),
			done: (item) => store.remove(id, item),
			gone: (words) => deps.gone(id, words),
			...{ clock, random, log }
		});
		lanes.set(id, lane);
	}

	return {
		open: (channels) =>
			turns.run(async () => {
				const items = await store.load();
				for (const list of items.values()) for (const item of list) seq = Math.max(seq, item.seq);
				for (const id of items.keys())
					if (!channels.some((one) => one.id === id)) await store.drop(id);
				for (const { id, enabled } of channels) if (enabled) await openLane(id, items);
			}),
		add: (channel, message, ttlMs = TTL_MS) =>
			turns.run(async () => {
				if (lanes.get(channel)?.has(message.id)) return;
				const expiresAt = new Date(clock.now().getTime() + ttlMs).toISOString();
				const item = { seq: nextSeq(), message, expiresAt };
				await store.add(channel, item).then(outage.worked, outage.failed);
				lanes.get(channel)?.push(item);
			}),
		reset: (channel, enabled) =>
			turns.run(async () => {
				if (enabled) return openLane(channel, await store.load());
				await lanes.get(channel)?.close();
				lanes.delete(channel);
			}),
		drop: (channel) =>
			turns.run(async () => {
				await lanes.get(channel)?.close();
				lanes.delete(channel);
				await store.drop(channel);
			}),
		stateOf: (channel) => lanes.get(channel) ?? NOTHING,
		async close() {
			await turns.run(async () => {
				await Promise.all([...lanes.values()].map((lane) => lane.close()));
			});
		}
	};
}
