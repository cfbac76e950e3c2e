import { expect, test } from 'vitest';
import { createManualClock } from '../../../../../tests/fakes/manual-clock.ts';
import { createRepeats } from './repeats.ts';

function setup(kindsMax = 3) {
	const clock = createManualClock();
	const told: string[] = [];
	const repeats = createRepeats<string, number>({
		clock,
		everyMs: 1000,
		kindsMax,
		first: (item) => told.push(item),
		again: ({ count, latest, first, mixed }) =>
			void told.push(`${count} × ${latest} after ${first}${mixed ? ', mixed' : ''}`)
	});
	return { clock, told, repeats };
}

test('the first is reported at once, the others as a count when the interval is over', async () => {
	const { clock, told, repeats } = setup();
	expect(['a1', 'a2', 'a3'].map((item) => repeats.add('a', item))).toEqual([1, 1, 1]);
	expect(repeats.add('b', 'b1')).toBe(2);
	expect(told).toEqual(['a1', 'b1']);
	await clock.advance(1000);
	expect(told).toEqual(['a1', 'b1', '2 × a3 after 1']);
});

test('ongoing repeats are reported as counts only; after a pause they count as new', async () => {
	const { clock, told, repeats } = setup();
	for (const item of ['a1', 'a2']) repeats.add('a', item);
	await clock.advance(1000);
	repeats.add('a', 'a3');
	await clock.advance(1000);
	expect(told.splice(0)).toEqual(['a1', '1 × a2 after 1', '1 × a3 after 1']);
	await clock.advance(1000);
	expect(clock.sleeping).toBe(0);
	repeats.add('a', 'a4');
	expect(told).toEqual(['a4']);
});

test('kinds beyond the limit count as one', async () => {
	const { clock, told, repeats } = setup(2);
	for (let i = 1; i <= 1000; i++) repeats.add(`kind ${i}`, `item ${i}`);
	expect(told).toEqual(['item 1', 'item 2', 'item 3']);
	await clock.advance(1000);
	expect(told.slice(3)).toEqual(['997 × item 1000 after 3, mixed']);
});

test('closing reports the remaining counts, once, and leaves no timer', async () => {
	const { clock, told, repeats } = setup();
	for (const item of ['a1', 'a2', 'a3']) repeats.add('a', item);
	repeats.close();
	await clock.advance(5000);
	expect(told).toEqual(['a1', '2 × a3 after 1']);
	expect(clock.sleeping).toBe(0);
});
