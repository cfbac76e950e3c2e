import { expect, test } from 'vitest';
import { isGood, isOverdue } from './good-backup.ts';

test('only a finished backup without a problem counts', () => {
	expect(isGood({ state: 'complete', problem: null })).toBe(true);
	expect(isGood({ state: 'complete', problem: 'Its manifest is gone.' })).toBe(false);
	expect(isGood({ state: 'damaged', problem: null })).toBe(false);
	expect(isGood({ state: 'running', problem: null })).toBe(false);
});

test('a weekly backup that takes its time is not late, a missed one is', () => {
	const made = '2026-01-04T04:00:00.000Z';
	expect(isOverdue(made, new Date('2026-01-11T09:00:00.000Z'))).toBe(false);
	expect(isOverdue(made, new Date('2026-01-12T03:59:59.000Z'))).toBe(false);
	expect(isOverdue(made, new Date('2026-01-12T04:00:00.000Z'))).toBe(true);
});
