import type { Clock } from './clock.ts';

export type TtlCache<T> = {
	/** What was found out at most so long ago, else what is found out now; many who ask at once cause one look. */
	(): Promise<T>;
	/** It has changed: the next one who asks has it looked at anew. */
	forget(): void;
};

/** For what pages ask many times a second. A failed look is not kept. */
export function createTtlCache<T>(
	look: () => Promise<T>,
	maxAgeMs: number,
	clock: Clock
): TtlCache<T> {
	let seen: { untilMs: number; result: Promise<T> } | null = null;
	const ask = () => {
		if (seen && clock.monotonicMs() < seen.untilMs) return seen.result;
		const mine = { untilMs: clock.monotonicMs() + maxAgeMs, result: look() };
		seen = mine;
		mine.result.catch(() => {
			if (seen === mine) seen = null;
		});
		return mine.result;
	};
	return Object.assign(ask, { forget: () => void (seen = null) });
}
