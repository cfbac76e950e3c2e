import type { Clock } from '#core/clock';
import type { Answer } from '../kinds/index.ts';
import type { Message } from '../message.ts';
import type { Item } from './store.ts';

/** The deliveries of one channel: one at a time, in order, until the service has them or nobody wants them any more. */
export interface Lane {
	push(item: Item): void;
	has(messageId: string): boolean;
	readonly waiting: number;
	/** The last try failed: why. */
	readonly problem: string | null;
	readonly lastSentAt: string | null;
	close(): Promise<void>;
}

type Deps = {
	send: (message: Message, signal: AbortSignal) => Promise<Answer>;
	/** It is off the list, whatever became of it. */
	done: (item: Item) => Promise<void>;
	/** The service takes nothing any more; nothing is sent until the lane is built anew. */
	gone: (words: string) => Promise<void>;
	clock: Clock;
	/** From 0 up to 1. */
	random: () => number;
	log: { error(message: string, facts?: { cause?: unknown }): void };
};

const BACK_OFF_MS = [5_000, 15_000, 60_000, 5 * 60_000, 15 * 60_000, 30 * 60_000];
const JITTER = 0.2;
/** More than a day of the noise rules' limit. */
const ITEMS_MAX = 600;

export function createLane(items: Item[], deps: Deps): Lane {
	const { clock, log } = deps;
	const queue = [...items];
	const closing = new AbortController();
	let running: Promise<void> | null = null;
	let problem: string | null = null;
	let lastSentAt: string | null = null;
	let over = false;

	const pauseOf = (tries: number, { retryAfterMs }: Answer) => {
		const stepMs = BACK_OFF_MS[Math.min(tries, BACK_OFF_MS.length) - 1]!;
		return Math.max(retryAfterMs ?? 0, stepMs * (1 + JITTER * deps.random()));
	};
	const isOld = ({ expiresAt }: Item) => clock.now().getTime() > Date.parse(expiresAt);

	/** Until there is an end to it. */
	async function deliver(item: Item) {
		for (let tries = 1; !closing.signal.aborted; tries++) {
			if (isOld(item)) {
				problem = `${problem ?? 'It could not be delivered.'} A message was given up after a day.`;
				return;
			}
			const answer = await deps.send(item.message, closing.signal);
			if (answer.outcome === 'delivered') {
				problem = null;
				lastSentAt = clock.now().toISOString();
				return;
			}
			problem = answer.words;
			if (answer.outcome === 'refused') return;
			if (answer.outcome === 'gone') {
				over = true;
				await deps.gone(answer.words);
				return;
			}
			await clock.sleep(pauseOf(tries, answer), closing.signal).catch(() => {}); // closed
		}
	}

	async function run() {
		while (queue[0] && !closing.signal.aborted && !over) {
			const item = queue[0];
			await deliver(item);
			// What was not delivered stays on disk for the next start, or until the channel is put right.
			if (closing.signal.aborted || over) return;
			queue.shift();
			await deps
				.done(item)
				.catch((cause) =>
					log.error('A notification that was delivered could not be taken off the list', { cause })
				);
		}
	}
	function go() {
		if (running || closing.signal.aborted || over || !queue.length) return;
		running = run()
			.catch((cause) => {
				if (!closing.signal.aborted) log.error('Delivering notifications failed', { cause });
			})
			.finally(() => {
				running = null;
				go();
			});
	}
	go();

	return {
		push(item) {
			queue.push(item);
			// The first one may be on its way.
			while (queue.length > ITEMS_MAX) void deps.done(queue.splice(1, 1)[0]!).catch(() => {});
			go();
		},
		has: (messageId) => queue.some(({ message }) => message.id === messageId),
		get waiting() {
			return queue.length;
		},
		get problem() {
			return problem;
		},
		get lastSentAt() {
			return lastSentAt;
		},
		async close() {
			closing.abort();
			await running;
		}
	};
}
