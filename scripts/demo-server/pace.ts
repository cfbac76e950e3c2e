/** The demo's own clock: everything that merely takes time in the game is divided by `speed`. */
export interface Pace {
	/** Milliseconds of the game since the process started. */
	now(): number;
	/** Waits for so many milliseconds of the game. */
	sleep(gameMs: number): Promise<void>;
	/** The real milliseconds that so many of the game's take. */
	real(gameMs: number): number;
}

export const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export function createPace(speed: number): Pace {
	const real = (gameMs: number) => gameMs / speed;
	return { now: () => performance.now() * speed, sleep: (ms) => wait(real(ms)), real };
}

/** Numbers that look random and are the same for the same seed (mulberry32). */
export interface Random {
	/** 0 ≤ x < 1 */
	next(): number;
	/** a whole number, both ends included */
	between(low: number, high: number): number;
	pick<T>(from: readonly T[]): T;
	chance(probability: number): boolean;
}

export function createRandom(seed: number): Random {
	let state = seed >>> 0;
	const next = () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let t = Math.imul(state ^ (state >>> 15), state | 1);
		t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
	};
	return {
		next,
		between: (low, high) => low + Math.floor(next() * (high - low + 1)),
		pick: (from) => from[Math.floor(next() * from.length)]!,
		chance: (probability) => next() < probability
	};
}
