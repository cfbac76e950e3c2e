import { expect, test } from 'vitest';
import { RowHeights } from './row-heights.ts';

test('rows are stacked, and each position belongs to one row', () => {
	const rows = new RowHeights(5, (i) => (i + 1) * 10);
	expect([0, 1, 2, 3, 4, 5].map((i) => rows.top(i))).toEqual([0, 10, 30, 60, 100, 150]);
	expect(rows.total).toBe(150);
	expect([-5, 0, 9, 10, 29, 30, 149, 150, 9e9].map((y) => rows.at(y))).toEqual([
		0, 0, 0, 1, 1, 2, 4, 4, 4
	]);
});

test('a measured row moves the rows below it and none above', () => {
	const rows = new RowHeights(4, () => 20);
	expect(rows.set(1, 50)).toBe(true);
	expect(rows.set(1, 50.2)).toBe(false);
	expect(rows.set(9, 50)).toBe(false);
	expect([0, 1, 2, 3, 4].map((i) => rows.top(i))).toEqual([0, 20, 70, 90, 110]);
	expect(rows.at(69)).toBe(1);
	expect(rows.at(70)).toBe(2);
});

test('an empty list has no rows', () => {
	const rows = new RowHeights(0, () => 20);
	expect(rows.total).toBe(0);
	expect(rows.at(0)).toBe(-1);
});

test('agrees with plain addition over many changes', () => {
	const count = 1000;
	const plain = Array.from({ length: count }, (_, i) => (i % 7) + 10);
	const rows = new RowHeights(count, (i) => plain[i]!);
	for (let i = 0; i < 5000; i++) {
		const index = (i * 7919) % count;
		plain[index] = (i % 90) + 5;
		rows.set(index, plain[index]!);
	}
	let top = 0;
	for (const [i, height] of plain.entries()) {
		expect(rows.top(i)).toBe(top);
		expect(rows.at(top)).toBe(i);
		expect(rows.at(top + height - 1)).toBe(i);
		top += height;
	}
});
