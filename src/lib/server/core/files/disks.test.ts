import { expect, test } from 'vitest';
import { gigabytes, isAlmostFull } from './disks.ts';

const GIB = 2 ** 30;

test.each([
	{ freeBytes: 1.9 * GIB, totalBytes: 8 * GIB, full: true },
	{ freeBytes: 2.1 * GIB, totalBytes: 8 * GIB, full: false },
	{ freeBytes: 4 * GIB, totalBytes: 100 * GIB, full: true },
	{ freeBytes: 6 * GIB, totalBytes: 100 * GIB, full: false },
	{ freeBytes: 19 * GIB, totalBytes: 4000 * GIB, full: true },
	{ freeBytes: 21 * GIB, totalBytes: 4000 * GIB, full: false }
])('$freeBytes of $totalBytes bytes: almost full is $full', ({ full, ...room }) => {
	expect(isAlmostFull(room)).toBe(full);
});

test('space is shown in the units of the pages', () => {
	expect(gigabytes(1_540_000_000)).toBe('1.5 GB');
	expect(gigabytes(25_400_000_000)).toBe('25 GB');
});
