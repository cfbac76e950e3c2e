import { afterEach, expect, test } from 'vitest';
import {
	ago,
	byName,
	bytes,
	clockTime,
	compact,
	day,
	dayAndTime,
	exact,
	fullTime,
	grouped,
	toTheMinute
} from './format.ts';
import { zoneFrom } from './zone.ts';

afterEach(() => zoneFrom(() => null));

test.each([
	[0, '0'],
	[7, '7'],
	[999, '999'],
	[1000, '1k'],
	[1234, '1.2k'],
	[99_960, '100k'],
	[999_949, '1M'],
	[3_400_000, '3.4M'],
	[-1234, '-1.2k'],
	[2e15, '2000T'],
	[null, '–'],
	[NaN, '–'],
	[Infinity, '–']
])('compact(%j) is %s', (value, text) => expect(compact(value)).toBe(text));

test.each([
	[0, '0\u00a0B'],
	[999, '999\u00a0B'],
	[1000, '1\u00a0kB'],
	[1536, '1.5\u00a0kB'],
	[999_999, '1\u00a0MB'],
	[2_147_483_648, '2.1\u00a0GB'],
	[123_456_789_012, '123\u00a0GB'],
	[undefined, '–']
])('bytes(%j) is %s', (value, text) => expect(bytes(value)).toBe(text));

test.each([
	[0, 'just now'],
	[4999, 'just now'],
	[59_999, 'just now'],
	[60_000, '1 minute ago'],
	[240_000, '4 minutes ago'],
	[3_600_000, '1 hour ago'],
	[5 * 3_600_000 + 1, '5 hours ago'],
	[86_400_000 * 3, '3 days ago'],
	[86_400_000 * 13.9, '13 days ago'],
	[86_400_000 * 14, '2 weeks ago'],
	[86_400_000 * 15, '2 weeks ago'],
	[86_400_000 * 357, '11 months ago'],
	[86_400_000 * 800, '2 years ago'],
	[-3_000, 'just now'],
	[-30_000, 'in a moment'],
	[-60_000, 'in 1 min'],
	[-(7 * 60_000 + 40_000), 'in 8 min'],
	[-(59 * 60_000 + 40_000), 'in 1 h'],
	[-(113 * 60_000 + 10_000), 'in 1 h 53 min'],
	[-7_200_000, 'in 2 h'],
	[-(23.9 * 3_600_000), 'in 23 h 54 min'],
	[-(76 * 3_600_000 - 60_000), 'in 3 d 4 h'],
	[-86_400_000, 'in 1 d'],
	[-86_400_000 * 13.5, 'in 13 d 12 h'],
	[-86_400_000 * 20, 'in 3 weeks'],
	[-86_400_000 * 55, 'in 2 months']
])('%j ms before now is %s', (gone, text) => {
	const now = Date.parse('2026-01-02T03:04:05.000Z');
	expect(ago(new Date(now - gone).toISOString(), now)).toBe(text);
	expect(ago(now - gone, new Date(now))).toBe(text);
});

test('times are shown in the zone, and an invalid time is a dash', () => {
	const at = '2026-01-02T23:04:05.678Z';
	expect(clockTime(at, { timeZone: 'UTC' })).toBe('23:04:05');
	expect(clockTime(at, { timeZone: 'Asia/Tokyo' })).toBe('08:04:05');
	expect(clockTime('2026-01-02T00:00:00Z', { timeZone: 'UTC' })).toBe('00:00:00');
	expect(exact(at, { timeZone: 'UTC' })).toBe('2 Jan 2026, 23:04:05');
	expect(day(at, { timeZone: 'UTC' })).toBe('2 Jan 2026');
	expect(day(at, { timeZone: 'Asia/Tokyo' })).toBe('3 Jan 2026');
	for (const none of [null, undefined, '', 'yesterday', NaN]) {
		expect(exact(none)).toBe('–');
		expect(day(none)).toBe('–');
		expect(clockTime(none)).toBe('–');
		expect(ago(none, 0)).toBe('–');
	}
});

test('without a zone a time is by the reader’s clock; while that is not known, it is in UTC and says so', () => {
	const at = '2026-01-02T23:04:05.678Z';
	expect([clockTime(at), fullTime(at)]).toEqual(['23:04:05', '2 Jan 2026, 23:04:05 UTC']);
	zoneFrom(() => 'Asia/Kolkata');
	expect([clockTime(at), fullTime(at)]).toEqual(['04:34:05', '3 Jan 2026, 04:34:05']);
	zoneFrom(() => 'UTC');
	expect(fullTime(at)).toBe('2 Jan 2026, 23:04:05');
	for (const name of Intl.supportedValuesOf('timeZone')) {
		zoneFrom(() => name);
		expect(clockTime(at)).toMatch(/:\d\d:05$/);
	}
});

test.each(['UTC', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Apia', undefined])(
	'dates in %s are those that Intl writes, all year round',
	(timeZone) => {
		zoneFrom(() => timeZone);
		const kinds = [
			[clockTime, { timeStyle: 'medium' }],
			[exact, { dateStyle: 'medium', timeStyle: 'medium' }],
			[toTheMinute, { dateStyle: 'medium', timeStyle: 'short' }],
			[day, { dateStyle: 'medium' }],
			[
				dayAndTime,
				{ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }
			]
		] as const;
		const start = Date.UTC(2025, 11, 31, 1, 2, 3);
		for (let hours = 0; hours < 400 * 24; hours += 37)
			for (const [ours, options] of kinds) {
				const at = new Date(start + hours * 3_600_000);
				const format = new Intl.DateTimeFormat('en-GB', { ...options, timeZone, hourCycle: 'h23' });
				expect(ours(at, { timeZone })).toBe(format.format(at));
			}
	}
);

test.each([0, 5, 999, 1000, 1234.5, -98_765.432, 1_234_567.891, 0.005, 0.001])(
	'all of %d is what Intl writes',
	(value) => {
		const format = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 2 });
		expect(grouped(value)).toBe(format.format(value));
	}
);

test('names are sorted without regard to case and accents, and by their numbers', () => {
	const names = ['mod 10', 'Zoë', 'Mod 2', 'Émile', 'zed', 'emil', 'Zoe2', 'Ä'];
	const sorted = ['Ä', 'emil', 'Émile', 'Mod 2', 'mod 10', 'zed', 'Zoë', 'Zoe2'];
	expect(names.toSorted(byName)).toEqual(sorted);
});
