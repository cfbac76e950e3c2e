import type { Clock } from '#core/clock';
import { createSerial } from '#core/serial';
import { busy, closing } from './failures.ts';

const WAITING_MAX = 64;

export type Turn = {
	/** Aborted by the caller's signal, and by `close`. */
	signal: AbortSignal;
	/** How much of the waiting time is left. */
	leftMs(): number;
};

/** First come, first served, one at a time. */
export interface Queue {
	/** Does `work` when its turn has come. AppError `busy` when too many are waiting, or after `waitMs` of waiting. */
	add<T>(
		work: (turn: Turn) => Promise<T>,
		options: { waitMs: number; signal?: AbortSignal }
	): Promise<T>;
	/** Refuses waiting and new work, and aborts the current one. */
	close(): void;
	readonly closed: boolean;
}

export function createQueue(clock: Clock, onEmpty: () => void): Queue {
	const commands = createSerial({ waitingMax: WAITING_MAX, full: busy });
	const end = new AbortController();

	return {
		async add(work, { waitMs, signal: caller }) {
			caller?.throwIfAborted();
			end.signal.throwIfAborted();
			const turnBy = clock.monotonicMs() + waitMs;
			const leftMs = () => Math.max(0, turnBy - clock.monotonicMs());
			const late = new AbortController();
			const timer = setTimeout(() => late.abort(busy()), waitMs).unref();
			const signal = AbortSignal.any([end.signal, ...(caller ? [caller] : [])]);
			const begin = () => {
				clearTimeout(timer);
				return work({ signal, leftMs });
			};
			try {
				return await commands.run(begin, AbortSignal.any([signal, late.signal]));
			} finally {
				clearTimeout(timer);
				if (!end.signal.aborted && commands.size === 0) onEmpty();
			}
		},
		close: () => end.abort(closing()),
		get closed() {
			return end.signal.aborted;
		}
	};
}
