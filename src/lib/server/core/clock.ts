import { setTimeout as delay } from 'node:timers/promises';

/** Time, so that tests can move it. Limits and time-outs use `monotonicMs`, names and display use `now`. */
export interface Clock {
	now(): Date;
	/** Milliseconds that never jump. */
	monotonicMs(): number;
	/** Rejects with the signal's reason when aborted. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
	now: () => new Date(),
	monotonicMs: () => performance.now(),
	sleep: async (ms, signal) => {
		await delay(ms, undefined, { signal }).catch((error) => {
			throw signal?.aborted ? signal.reason : error;
		});
	}
};
