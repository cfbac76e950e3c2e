import { expect, test } from 'vitest';
import { liftOver, type Box } from './toast-room.ts';

const box = (top: number, bottom: number, left = 900, right = 1200): Box => ({
	...{ top, bottom, left, right }
});
const toast = box(700, 760);

test('a toast lies at the bottom, unless something that is needed is there', () => {
	expect(liftOver(toast, [], 300)).toBe(0);
	expect(liftOver(toast, [box(500, 540), box(700, 740, 100, 300)], 300)).toBe(0);
});

test('it is lifted above what it would cover, as often as it has to be', () => {
	expect(liftOver(toast, [box(720, 756)], 300)).toBe(48);
	// Between the two there is no room for it.
	expect(liftOver(toast, [box(720, 756), box(640, 676)], 300)).toBe(128);
	expect(liftOver(toast, [box(720, 756), box(600, 640)], 300)).toBe(48);
});

test('it does not get so high that it is taken for a part of the page', () => {
	const rows = Array.from({ length: 20 }, (_, nth) => box(nth * 40, nth * 40 + 36));
	expect(liftOver(toast, rows, 300)).toBeNull();
});
