import type { Clock } from '#core/clock';
import { busy, closing } from './failures.ts';

const WAITING_MAX = 64;

export type Turn = {
	/** Aborted by the caller's signal, and by `close`. */
	signal: AbortSignal;
	/** What is left of the time to wait for others. */
	leftMs(): number;
};

/** First come, first served, one at a time. */
export interface Queue {
	/** Does `work` when its turn has come. AppError `busy` when too many wait, or after `waitMs` of waiting. */
	add<T>(
		work: (turn: Turn) => Promise<T>,
		options: { waitMs: number; signal?: AbortSignal }
	): Promise<T>;
	/** Refuses what waits and what comes, and aborts what is being done. */
	close(): void;
	readonly closed: boolean;
}

type Job = { run(): Promise<void>; giveUp(reason: unknown): void };

export function createQueue(clock: Clock, onEmpty: () => void): Queue {
	const waiting: Job[] = [];
	let current: Job | null = null;
	let closed = false;

	const pump = async () => {
		if (current) return;
		while ((current = waiting.shift() ?? null)) await current.run();
		if (!closed) onEmpty();
	};

	return {
		async add(work, { waitMs, signal }) {
			signal?.throwIfAborted();
			if (closed) throw closing();
			if (waiting.length >= WAITING_MAX) throw busy();
			return new Promise((resolve, reject) => {
				const abort = new AbortController();
				const turnBy = clock.monotonicMs() + waitMs;
				const settled = () => {
					clearTimeout(timer);
					signal?.removeEventListener('abort', onAbort);
				};
				const job: Job = {
					run() {
						clearTimeout(timer);
						const leftMs = () => Math.max(0, turnBy - clock.monotonicMs());
						return work({ signal: abort.signal, leftMs }).then(resolve, reject).finally(settled);
					},
					giveUp(reason) {
						const index = waiting.indexOf(job);
						if (index < 0) return abort.abort(reason);
						waiting.splice(index, 1);
						settled();
						reject(reason);
					}
				};
				const onAbort = () => job.giveUp(signal?.reason);
				const timer = setTimeout(() => job.giveUp(busy()), waitMs).unref();
				signal?.addEventListener('abort', onAbort, { once: true });
				waiting.push(job);
				void pump();
			});
		},
		close() {
			closed = true;
			for (const job of [...waiting]) job.giveUp(closing());
			current?.giveUp(closing());
		},
		get closed() {
			return closed;
		}
	};
}
