import type { Clock } from '#core/clock';
import { createOutage } from '#core/log';
import { createSerial } from '#core/serial';
import type { Answer } from '../kinds/index.ts';
import type { Message } from '../message.ts';
import { createLane, type Lane } from './lane.ts';
import { createQueueStore, type Loaded } from './store.ts';

/** What is to be delivered, on disk until the service has it: survives a kill at any moment. */
export interface Queue {
	/** Takes up what was left; `channels` are those that may send. What belongs to none is removed. */
	open(channels: { id: string; enabled: boolean }[]): Promise<void>;
	/**
	 * On disk when it resolves; where the disk refuses, it is delivered from memory. What waits already, or was just
	 * delivered, is not added again.
	 */
	add(channel: string, message: Message, ttlMs?: number): Promise<void>;
	/** The channel was made, changed, or turned on or off: what waits is tried again at once, or not at all. */
	reset(channel: string, enabled: boolean): Promise<void>;
	drop(channel: string): Promise<void>;
	stateOf(channel: string): Pick<Lane, 'waiting' | 'problem' | 'failingSince' | 'lastSentAt'>;
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
const NOTHING = { waiting: 0, problem: null, failingSince: null, lastSentAt: null };

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

	function openLane(id: string, left: Loaded) {
		const lane = createLane(left, {
			send: (message, signal) => deps.send(id, message, signal),
			finish: (item) => store.finish(id, item),
			forget: (item) => store.forget(id, item),
			gone: (words) => deps.gone(id, words),
			...{ clock, random, log }
		});
		lanes.set(id, lane);
	}
	async function closeLane(id: string): Promise<Loaded | undefined> {
		const left = await lanes.get(id)?.close();
		lanes.delete(id);
		return left;
	}
	const drop = (id: string) =>
		store
			.drop(id)
			.catch((cause) => log.warn('What waited for a channel could not be removed', { cause }));

	return {
		open: (channels) =>
			turns.run(async () => {
				for (const id of await store.channels())
					if (!channels.some((one) => one.id === id)) await drop(id);
				for (const { id, enabled } of channels) {
					const left = await store.load(id);
					for (const item of [...left.waiting, ...left.finished]) seq = Math.max(seq, item.seq);
					if (enabled) openLane(id, left);
				}
			}),
		add: (channel, message, ttlMs = TTL_MS) =>
			turns.run(async () => {
				if (lanes.get(channel)?.knows(message.id)) return;
				const expiresAt = new Date(clock.now().getTime() + ttlMs).toISOString();
				const item = { seq: nextSeq(), message, expiresAt };
				await store.add(channel, item).then(outage.worked, outage.failed);
				lanes.get(channel)?.push(item);
			}),
		reset: (channel, enabled) =>
			turns.run(async () => {
				const left = await closeLane(channel);
				if (enabled) openLane(channel, left ?? (await store.load(channel)));
			}),
		drop: (channel) =>
			turns.run(async () => {
				await closeLane(channel);
				await drop(channel);
			}),
		stateOf: (channel) => lanes.get(channel) ?? NOTHING,
		async close() {
			await turns.run(async () => {
				await Promise.all([...lanes.values()].map((lane) => lane.close()));
			});
		}
	};
}
