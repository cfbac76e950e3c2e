import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { datesOf, fileDateOf } from './dates.ts';
import { monthOf } from './months.ts';
import { parsePrefix } from './prefix.ts';

const stamps = (...heads: string[]) =>
	heads.map((head) => parsePrefix(`[${head}] [main/INFO]: x`)?.stamp ?? null);
/** Local times, as the log has them. */
const local = (dates: (string | null)[]) =>
	dates.map((at) => {
		if (at === null) return null;
		const date = new Date(at);
		const two = (n: number) => String(n).padStart(2, '0');
		return `${date.getMonth() + 1}-${date.getDate()} ${two(date.getHours())}:${two(date.getMinutes())}`;
	});
const read = (heads: string[], fileDate: Date | null) => local(datesOf(stamps(...heads), fileDate));
const MARCH_14 = (hours: number, minutes = 0) => new Date(2026, 2, 14, hours, minutes);

describe('lines without a date', () => {
	test('the last one is from the day on which the file was last written', () => {
		expect(read(['11:00:00', '12:00:00'], MARCH_14(12))).toEqual(['3-14 11:00', '3-14 12:00']);
		expect(read(['23:59:58'], MARCH_14(0, 1))).toEqual(['3-13 23:59']);
		expect(read(['00:00:01'], new Date(2026, 2, 13, 23, 59, 59))).toEqual(['3-14 00:00']);
	});

	test('days are counted back over each midnight', () => {
		expect(read(['23:00:00', '01:00:00', '22:00:00', '02:00:00'], MARCH_14(2))).toEqual([
			'3-12 23:00',
			'3-13 01:00',
			'3-13 22:00',
			'3-14 02:00'
		]);
	});

	test('threads overtake each other, even at midnight, without losing a day', () => {
		const heads = ['23:59:58', '00:00:00', '23:59:59', '00:00:01', '00:00:00'];
		expect(read(heads, MARCH_14(0, 5)).map((at) => at?.slice(0, 4))).toEqual([
			'3-13',
			'3-14',
			'3-13',
			'3-14',
			'3-14'
		]);
	});

	test('a clock that is set back by an hour stays in its day', () => {
		expect(read(['02:59:00', '02:00:00', '02:30:00'], MARCH_14(2, 30))).toEqual([
			'3-14 02:59',
			'3-14 02:00',
			'3-14 02:30'
		]);
	});

	test('an archive belongs to the day in its name, from its first second to its last', () => {
		const date = fileDateOf('2026-03-14-2.log.gz', new Date(2026, 5, 1));
		expect(read(['00:00:00'], date)).toEqual(['3-14 00:00']);
		expect(read(['00:00:00', '12:00:00', '23:59:59'], date)).toEqual([
			'3-14 00:00',
			'3-14 12:00',
			'3-14 23:59'
		]);
		expect(fileDateOf('latest.log', MARCH_14(1))).toEqual(MARCH_14(1));
	});

	test('without a file time there is no date, and an invalid time has none', () => {
		expect(read(['12:00:00'], null)).toEqual([null]);
		expect(read(['12:00:00'], new Date(NaN))).toEqual([null]);
		expect(read(['99:00:00', '12:99:00'], MARCH_14(12))).toEqual([null, null]);
	});

	test('in time zones around the world, on the days when the clock changes', () => {
		const script = `
			import { datesOf } from ${JSON.stringify(new URL('./dates.ts', import.meta.url).href)};
			const at = (h) => ({ date: null, dayMs: h * 3600000 });
			const of = (year, month, day) => datesOf([at(0.5), at(1.5), at(3.5), at(23)], new Date(year, month, day, 23, 1));
			console.log(JSON.stringify([of(2026, 2, 29), of(2026, 9, 25)]));`;
		const inZone = (zone: string): string[][] =>
			JSON.parse(
				execFileSync(process.execPath, ['--input-type=module-typescript', '-e', script], {
					env: { ...process.env, TZ: zone },
					encoding: 'utf8'
				})
			);
		const [spring, autumn] = inZone('Europe/Berlin');
		expect(spring).toEqual([
			'2026-03-28T23:30:00.000Z',
			'2026-03-29T00:30:00.000Z',
			'2026-03-29T01:30:00.000Z',
			'2026-03-29T21:00:00.000Z'
		]);
		expect(autumn).toEqual([
			'2026-10-24T22:30:00.000Z',
			'2026-10-24T23:30:00.000Z',
			'2026-10-25T02:30:00.000Z',
			'2026-10-25T22:00:00.000Z'
		]);
		expect(inZone('Asia/Seoul')[0]![0]).toBe('2026-03-28T15:30:00.000Z');
	});
});

describe('lines with a date', () => {
	test('the month is in the language of the machine', () => {
		const heads = [
			'26Feb2025',
			'30may2024',
			'25mai.2025',
			'05févr.2025',
			'07мар.2025',
			'21Mär2025'
		];
		expect(
			read(
				heads.map((date) => `${date} 12:00:00.123`),
				null
			).map((at) => at?.split(' ')[0])
		).toEqual(['2-26', '5-30', '5-25', '2-5', '3-7', '3-21']);
	});

	test('numbered months are read even in a foreign charset', () => {
		expect(read(['212월2025 12:00:00.000'], null)).toEqual(['2-21 12:00']);
		expect(read(['212\ufffd\ufffd2025 12:00:00.000'], null)).toEqual(['2-21 12:00']);
		expect(read(['2112\ufffd\ufffd2025 12:00:00.000'], null)).toEqual(['12-21 12:00']);
	});

	test('an unreadable month is the one nearest to the file time', () => {
		expect(read(['28\ufffd\ufffd\ufffd2026 12:00:00.000'], MARCH_14(12))).toEqual(['2-28 12:00']);
		expect(read(['05f\ufffdvr.2025 12:00:00'], new Date(2025, 1, 6))).toEqual(['2-5 12:00']);
		expect(read(['28\ufffd\ufffd\ufffd2026 12:00:00.000'], null)).toEqual([null]);
	});

	test('invalid dates are ignored, and the file gives the day', () => {
		expect(read(['31Feb2026 12:00:00', '00Jan2026 12:00:00'], MARCH_14(12))).toEqual([
			'3-14 12:00',
			'3-14 12:00'
		]);
	});

	test('ISO dates of custom log configurations', () => {
		expect(read(['2026-03-01 12:00:00,123', '2026-03-01T13:00:00.5'], null)).toEqual([
			'3-1 12:00',
			'3-1 13:00'
		]);
	});

	test('names that mean different months in two languages are ignored', () => {
		expect(monthOf('lis')).toBeNull();
		expect(monthOf('ňňň')).toBeNull();
		expect(monthOf('')).toBeNull();
		expect(monthOf('13\ufffd')).toBeNull();
	});
});
