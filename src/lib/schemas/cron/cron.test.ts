import { expect, test } from 'vitest';
import { isDue, nextOf, nextRun, nextRuns } from './cron.ts';
import { humanSchedule } from './labels.ts';

const at = (text: string) => new Date(text);
const next = (schedule: string, after: string, zone = 'UTC') =>
	nextRun(schedule, at(after), zone)?.toISOString() ?? null;

test('the next time is after now, never now', () => {
	expect(next('30 4 * * *', '2026-11-20T04:29:59Z')).toBe('2026-11-20T04:30:00.000Z');
	expect(next('30 4 * * *', '2026-11-20T04:30:00Z')).toBe('2026-11-21T04:30:00.000Z');
	expect(next('*/15 * * * *', '2026-11-20T04:31:00Z')).toBe('2026-11-20T04:45:00.000Z');
	expect(next('0 0 1 1 *', '2026-11-20T00:00:00Z')).toBe('2027-01-01T00:00:00.000Z');
});

test('either of two restricted day fields is enough, as in cron', () => {
	// The 20th is a Friday.
	expect(next('0 0 13 * 5', '2026-11-14T00:00:00Z')).toBe('2026-11-20T00:00:00.000Z');
	expect(next('0 0 22 * 5', '2026-11-20T12:00:00Z')).toBe('2026-11-22T00:00:00.000Z');
});

test('a day field that begins with a star must match together with the other', () => {
	// Odd days (1, 3, 5 …) that are a Monday: the 23rd, not every Monday and not every odd day.
	expect(next('0 0 */2 * 1', '2026-11-14T00:00:00Z')).toBe('2026-11-23T00:00:00.000Z');
	expect(next('0 0 13 * */2', '2026-11-14T00:00:00Z')).toBe('2026-12-13T00:00:00.000Z');
	expect(next('0 0 * * 7', '2026-11-20T00:00:00Z')).toBe('2026-11-22T00:00:00.000Z');
	expect(next('0 0 * * 5-7', '2026-11-21T12:00:00Z')).toBe('2026-11-22T00:00:00.000Z');
});

test('a day that never comes has no next time', () => {
	expect(next('0 0 31 2 *', '2026-11-20T00:00:00Z')).toBeNull();
	expect(next('0 0 29 2 *', '2026-11-20T00:00:00Z')).toBe('2028-02-29T00:00:00.000Z');
});

test('times are in the machine’s time zone', () => {
	expect(next('0 4 * * *', '2026-11-20T00:00:00Z', 'Europe/Berlin')).toBe(
		'2026-11-20T03:00:00.000Z'
	);
	expect(next('0 4 * * *', '2026-07-20T00:00:00Z', 'Europe/Berlin')).toBe(
		'2026-07-20T02:00:00.000Z'
	);
	expect(next('0 0 * * 1', '2026-11-20T00:00:00Z', 'Pacific/Auckland')).toBe(
		'2026-11-22T11:00:00.000Z'
	);
});

test('a schedule is due in its minute only', () => {
	expect(isDue('30 4 * * *', at('2026-11-20T04:30:59Z'), 'UTC')).toBe(true);
	expect(isDue('30 4 * * *', at('2026-11-20T04:30:00Z'), 'UTC')).toBe(true);
	expect(isDue('30 4 * * *', at('2026-11-20T04:31:00Z'), 'UTC')).toBe(false);
	expect(isDue('* * * * *', at('2026-11-20T04:31:07Z'), 'UTC')).toBe(true);
});

test('schedules made from presets are described in words, others are shown as they are', () => {
	expect(humanSchedule('30 4 * * *')).toBe('Every night at 04:30');
	expect(humanSchedule('0 6 * * *')).toBe('Every day at 06:00');
	expect(humanSchedule('0 22 * * *')).toBe('Every night at 22:00');
	expect(humanSchedule('0 */6 * * *')).toBe('Every 6 hours');
	expect(humanSchedule('5 */6 * * *')).toBe('Every 6 hours at 05 minutes past');
	expect(humanSchedule('0 * * * *')).toBe('Every hour');
	expect(humanSchedule('0 4 * * 1')).toBe('Every Monday at 04:00');
	expect(humanSchedule('0 4 * * 0')).toBe('Every Sunday at 04:00');
	expect(humanSchedule('0 4 * * 7')).toBe('Every Sunday at 04:00');
	for (const odd of ['0 */5 * * *', '0 4 1 * *', '0 4 * * 1-5', '0,30 4 * * 1', '*/5 * * * *'])
		expect(humanSchedule(odd)).toBe(odd);
});

test('the next few times follow each other, and stop when there are no more', () => {
	const after = at('2026-11-20T04:30:00Z');
	const times = (schedule: string) =>
		nextRuns(schedule, after, 'UTC', 3).map((time) => time.toISOString().slice(0, 16));
	expect(times('30 4 * * *')).toEqual(['2026-11-21T04:30', '2026-11-22T04:30', '2026-11-23T04:30']);
	expect(times('0 0 29 2 *')).toEqual(['2028-02-29T00:00', '2032-02-29T00:00', '2036-02-29T00:00']);
	expect(times('0 0 31 2 *')).toEqual([]);
});

test('a task for one day is due on that day, in the zone of the schedule, and never again', () => {
	const due = (on: string, schedule: string, after: string, zone = 'UTC') =>
		nextOf({ schedule, on }, at(after), zone)?.toISOString() ?? null;
	const tonight = ['2026-11-26', '0 23 26 11 *'] as const;
	expect(due(...tonight, '2026-11-26T22:59:59Z')).toBe('2026-11-26T23:00:00.000Z');
	expect(due(...tonight, '2026-11-26T23:00:00Z')).toBeNull();
	expect(due(...tonight, '2027-11-25T12:00:00Z')).toBeNull();
	expect(due('2028-11-26', '0 23 26 11 *', '2026-11-20T00:00:00Z')).toBe(
		'2028-11-26T23:00:00.000Z'
	);
	for (const [zone, time] of [
		['Pacific/Kiritimati', '2026-11-25T10:05:00.000Z'],
		['Etc/GMT+12', '2026-11-26T12:05:00.000Z']
	] as const)
		expect(due('2026-11-26', '5 0 26 11 *', '2026-11-20T00:00:00Z', zone)).toBe(time);
	expect(humanSchedule('0 23 26 11 *', '2026-11-26')).toBe(
		'Once, on Thursday 26 November at 23:00'
	);
	expect(humanSchedule('5 6 1 1 *', '2027-01-01')).toBe('Once, on Friday 1 January at 06:05');
});
