import { AppError } from '#core/errors';

/** One after the other: two searches at once would hold up everybody else for twice as long at a time. */
export interface Turns {
	/** AppError `busy` when too many wait. Does not run at all what was given up before its turn. */
	take<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

const WAITING_MAX = 8;

export function createTurns(): Turns {
	let waiting = 0;
	let last: Promise<unknown> = Promise.resolve();
	return {
		async take(work, signal) {
			if (waiting >= WAITING_MAX)
				throw new AppError('busy', 'Too many searches wait already. Try again in a moment.');
			waiting++;
			const turn = last.then(() => {
				waiting--;
				signal.throwIfAborted();
				return work();
			});
			last = turn.catch(() => {});
			return turn;
		}
	};
}
