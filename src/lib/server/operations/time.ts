import type { Clock } from '#core/clock';
import { deadline } from '#core/deadline';

/** Runs something that is requested often at most once per `everyMs`; the last request is never lost. */
export type Throttle = {
	soon(): void;
	/** It has just been done in another way, so a waiting request is dropped. */
	done(): void;
};

export function createThrottle(everyMs: number, clock: Clock, act: () => void): Throttle {
	let last = -Infinity;
	let waiting: AbortController | null = null;
	const done = () => {
		last = clock.monotonicMs();
		waiting?.abort();
		waiting = null;
	};
	const fire = () => {
		done();
		act();
	};
	return {
		done,
		soon() {
			if (waiting) return;
			const waitMs = last + everyMs - clock.monotonicMs();
			if (waitMs <= 0) return fire();
			const mine = (waiting = new AbortController());
			// Rejects when it is no longer needed.
			clock.sleep(waitMs, mine.signal).then(fire, () => {});
		}
	};
}

/** Waits for it, but at most this long. */
export const atMost = (ms: number, clock: Clock, ended: Promise<unknown> | undefined) =>
	deadline(
		{ ms, clock },
		async () => void (await ended),
		() => {}
	);
