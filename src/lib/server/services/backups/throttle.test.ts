import { expect, test } from 'vitest';
import { systemClock } from '#core/clock';
import { throttleWith } from './throttle.ts';

/** How often a job rests when it checks this many times while the game ticks at this rate. */
async function rests(looks: number, tps: () => number | null) {
	const ended = new AbortController();
	let [left, rested] = [looks, 0];
	const over = Promise.withResolvers<void>();
	const clock = {
		...systemClock,
		async sleep() {
			if (left-- > 0) return;
			ended.abort();
			over.resolve();
			throw ended.signal.reason;
		}
	};
	const warned: string[] = [];
	const log = { warn: (message: string) => void warned.push(message) };
	const throttle = throttleWith({ tps: async () => tps(), clock, log });
	throttle({ rest: (ms) => void (rested += ms), ended: ended.signal });
	await Promise.race([over.promise, new Promise((resolve) => setTimeout(resolve, 500))]);
	expect(warned).toEqual([]);
	return rested;
}

test('the work pauses while the game lags, and never for longer than ten minutes in all', async () => {
	expect(await rests(5, () => 20)).toBe(0);
	expect(await rests(5, () => null)).toBe(0);
	expect(await rests(5, () => 12)).toBe(15_000);
	let look = 0;
	expect(await rests(6, () => (look++ % 2 ? 20 : 10))).toBe(9_000);
	expect(await rests(10_000, () => 5)).toBe(600_000);
});
