import type { Clock } from '#core/clock';
import type { Answer } from '../kinds/index.ts';
import type { Message } from '../message.ts';
import { failure } from '../outbound.ts';
import type { Item, Loaded } from './store.ts';

/** The deliveries of one channel: one at a time, in order, until the service has them or nobody wants them any more. */
export interface Lane {
	push(item: Item): void;
	/** Whether it waits, or was among the last ones. */
	knows(messageId: string): boolean;
	readonly waiting: number;
	/** Why the last attempt failed. */
	readonly problem: string | null;
	/** When the first of the tries that failed was made; null when the last one did not. */
	readonly failingSince: string | null;
	readonly lastSentAt: string | null;
	/** What is left for another lane. */
	close(): Promise<Loaded>;
}

type Deps = {
	send: (message: Message, signal: AbortSignal) => Promise<Answer>;
	/** It has left the queue, whatever the result. */
	finish: (item: Item) => Promise<void>;
	/** So long ago that nobody tells it again. */
	forget: (item: Item) => Promise<void>;
	/** The service accepts nothing any more; nothing is sent until the lane is rebuilt. */
	gone: (words: string) => Promise<void>;
	clock: Clock;
	/** From 0 up to 1. */
	random: () => number;
	log: { error(message: string, facts?: { cause?: unknown }): void };
};

const BACK_OFF_MS = [5_000, 15_000, 60_000, 5 * 60_000, 15 * 60_000, 30 * 60_000];
const JITTER = 0.2;
const GIVEN_UP = ' Messages that had waited too long were dropped.';
/** More than a day of the noise rules' limit. */
const ITEMS_MAX = 600;
/** More than an hour of that limit. */
const REMEMBERED = 25;

export function createLane(left: Loaded, deps: Deps): Lane {
	const { clock, log } = deps;
	const queue = [...left.waiting];
	const finished = [...left.finished];
	/** Finished, but the disk does not know: it is told again with the next one, and at the end. */
	let untold: Item[] = [];
	const closing = new AbortController();
	let running: Promise<void> | null = null;
	let problem: string | null = null;
	let failingSince: string | null = null;
	let lastSentAt: string | null = null;
	let over = false;

	const pauseOf = (tries: number, { retryAfterMs }: Answer) => {
		const stepMs = BACK_OFF_MS[Math.min(tries, BACK_OFF_MS.length) - 1]!;
		return Math.max(retryAfterMs ?? 0, stepMs * (1 + JITTER * deps.random()));
	};
	const isOld = ({ expiresAt }: Item) => clock.now().getTime() > Date.parse(expiresAt);

	async function attempt(message: Message): Promise<Answer> {
		try {
			return await deps.send(message, closing.signal);
		} catch (cause) {
			if (closing.signal.aborted) throw cause;
			log.error('A notification could not be sent', { cause });
			return failure('Something went wrong here. The log says what.');
		}
	}

	/** Tries until there is an end to it; false when this lane has come to its end before. */
	async function deliver(item: Item): Promise<boolean> {
		for (let tries = 1; !closing.signal.aborted; tries++) {
			if (isOld(item)) {
				problem = `${(problem ?? 'It could not be delivered.').replace(GIVEN_UP, '')}${GIVEN_UP}`;
				return true;
			}
			const answer = await attempt(item.message);
			problem = answer.outcome === 'delivered' ? null : answer.words;
			failingSince = problem === null ? null : (failingSince ?? clock.now().toISOString());
			if (answer.outcome === 'refused') return true;
			if (answer.outcome === 'delivered') {
				lastSentAt = clock.now().toISOString();
				return true;
			}
			if (answer.outcome === 'gone') {
				over = true;
				await deps.gone(answer.words);
				return false;
			}
			await clock.sleep(pauseOf(tries, answer), closing.signal).catch(() => {}); // closed
		}
		return false;
	}

	async function note(items: Item[]) {
		const all = [...untold, ...items].slice(-ITEMS_MAX);
		untold = [];
		let trouble: unknown = null;
		for (const item of all)
			await deps.finish(item).catch((cause) => {
				untold.push(item);
				trouble ??= cause;
			});
		if (trouble)
			log.error('A notification that was delivered could not be removed from the queue', {
				cause: trouble
			});
	}

	async function finish(item: Item) {
		finished.push(item);
		await note([item]);
		while (finished.length > REMEMBERED) await deps.forget(finished.shift()!).catch(() => {}); // the next start does it
	}

	async function run() {
		while (queue[0] && !closing.signal.aborted && !over) {
			const item = queue[0];
			// Undelivered messages stay on disk for the next start, or until the channel is fixed.
			if (!(await deliver(item))) return;
			queue.shift();
			await finish(item);
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
			while (queue.length > ITEMS_MAX) void finish(queue.splice(1, 1)[0]!);
			go();
		},
		knows: (messageId) => [...queue, ...finished].some(({ message }) => message.id === messageId),
		get waiting() {
			return queue.length;
		},
		get problem() {
			return problem;
		},
		get failingSince() {
			return failingSince;
		},
		get lastSentAt() {
			return lastSentAt;
		},
		async close() {
			closing.abort();
			await running;
			await note([]);
			return { waiting: queue, finished };
		}
	};
}
