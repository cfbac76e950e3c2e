import { expect, test } from 'vitest';
import { dated, dayIn, firstDay } from './days.ts';

/** A Thursday. */
const NOON = new Date('2026-11-26T12:00:00Z');
const AUCKLAND = 'Pacific/Auckland';

test('the day is that of the time zone', () => {
	expect(dayIn(NOON, 'UTC')).toBe('2026-11-26');
	expect(dayIn(NOON, AUCKLAND)).toBe('2026-11-27');
});

test('the first day for a time is today while that lies ahead', () => {
	expect(firstDay('23:00', NOON, 'UTC')).toBe('2026-11-26');
	expect(firstDay('12:00', NOON, 'UTC')).toBe('2026-11-27');
	expect(firstDay('00:30', NOON, AUCKLAND)).toBe('2026-11-28');
	expect(firstDay('01:30', NOON, AUCKLAND)).toBe('2026-11-27');
});

test('an address says a day in a word, or as a day of the week', () => {
	const on = (day: string, time?: string, zone = 'UTC') =>
		dated({ preset: 'once', day, time }, NOON, zone);
	expect(on('today', '23:00')).toEqual({ preset: 'once', time: '23:00', on: '2026-11-26' });
	expect(on('today', '01:00')).toMatchObject({ on: '2026-11-26' });
	expect(on('tomorrow')).toMatchObject({ on: '2026-11-27' });
	expect(on('tomorrow', '23:00', AUCKLAND)).toMatchObject({ on: '2026-11-28' });
	expect(on('4', '23:00')).toMatchObject({ on: '2026-11-26' });
	expect(on('4', '11:00')).toMatchObject({ on: '2026-12-03' });
	expect(on('0', '11:00')).toMatchObject({ on: '2026-11-29' });
	expect(on('1')).toMatchObject({ on: '2026-11-30' });
});

test('a date that is said comes first, and a weekly task keeps its day of the week', () => {
	const said = { preset: 'once' as const, on: '2026-12-24' };
	expect(dated({ ...said, day: 'today' }, NOON, 'UTC')).toEqual(said);
	expect(dated({ preset: 'weekly', day: '3' }, NOON, 'UTC')).toEqual({
		preset: 'weekly',
		day: '3'
	});
	expect(dated({ preset: 'weekly', day: 'today' }, NOON, 'UTC')).toEqual({ preset: 'weekly' });
	expect(dated({}, NOON, 'UTC')).toEqual({});
});
