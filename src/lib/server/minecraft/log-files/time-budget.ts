import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '#core/clock';

/** Keeps a long search from holding up the rest of the program, and from running for ever. */
export interface TimeBudget {
	/** Time to `rest`. */
	readonly due: boolean;
	/** Gives others their turn; throws when the search was aborted. */
	rest(): Promise<void>;
	/** The time is used up. */
	readonly over: boolean;
}

const SLICE_MS = 2;

export function createTimeBudget(clock: Clock, budgetMs: number, signal?: AbortSignal): TimeBudget {
	const untilMs = clock.monotonicMs() + budgetMs;
	let nextMs = clock.monotonicMs() + SLICE_MS;
	return {
		get due() {
			return clock.monotonicMs() >= nextMs;
		},
		async rest() {
			await turn();
			signal?.throwIfAborted();
			nextMs = clock.monotonicMs() + SLICE_MS;
		},
		get over() {
			return clock.monotonicMs() >= untilMs;
		}
	};
}
