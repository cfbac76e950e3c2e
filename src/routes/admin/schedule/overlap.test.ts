import { expect, test } from 'vitest';
import type { Task } from '$lib/schemas/task';
import { freeTime, listedNext, nextNear, overlap, second } from './overlap.ts';

const NOW = new Date('2026-11-26T18:00:00Z');
const RESTART: Task = {
	...{ id: '0'.repeat(16), type: 'restart', schedule: '0 4 * * *', delaySeconds: 0 },
	...{ enabled: true, human: 'Every night at 04:00', sentence: '', nextRunAt: null }
};
const of = (times: string[], others: Task[] = [RESTART], type: Task['type'] = 'restart') =>
	overlap(
		type,
		times.map((time) => new Date(`2026-11-${time}:00Z`)),
		others,
		'UTC',
		nextNear(NOW, 'UTC')
	);

test('another restart within an hour before or after is told', () => {
	const said = 'Also planned for Fri 27 Nov, 04:00: restart.';
	for (const time of ['27T03:00', '27T04:00', '27T05:00']) expect(of([time]), time).toBe(said);
	expect(of(['27T02:59'])).toBeNull();
	expect(of(['27T05:01'])).toBeNull();
	expect(of(['26T23:00', '28T04:30'])).toContain('Sat 28 Nov, 04:00');
	expect(of(['27T04:30'], [RESTART], 'stop')).toBe(said);
});

test('a new task begins when nothing else does, in the time zone of the server', () => {
	const next = (nextRunAt: string | null, enabled = true) => ({ ...RESTART, nextRunAt, enabled });
	expect(freeTime([], 'UTC')).toBe('04:00');
	expect(freeTime([next('2026-11-27T04:00:00Z')], 'UTC')).toBe('05:00');
	expect(freeTime([next('2026-11-27T04:00:00Z')], 'Europe/Berlin')).toBe('04:00');
	expect(freeTime([next('2026-11-27T03:00:00Z')], 'Europe/Berlin')).toBe('05:00');
	const both = [next('2026-11-27T04:00:00Z'), next('2026-11-28T05:00:00Z')];
	expect(freeTime(both, 'UTC')).toBe('06:00');
	expect(freeTime([next('2026-11-27T04:00:00Z', false), next(null)], 'UTC')).toBe('04:00');
});

test('what leaves the server running is not, nor what is off or has passed', () => {
	expect(of(['27T04:30'], [RESTART], 'backup')).toBeNull();
	expect(of(['27T04:30'], [{ ...RESTART, enabled: false }])).toBeNull();
	const backup: Task = { ...RESTART, type: 'backup', withMods: false, note: '' } as Task;
	expect(of(['27T04:30'], [backup])).toBeNull();
	expect(
		of(['26T18:30'], [{ ...RESTART, schedule: '45 17 26 11 *', on: '2026-11-26' }])
	).toBeNull();
});

test('a list of many says it by the next runs that it shows anyway', () => {
	const at = new Date('2026-11-27T03:10:00Z');
	const others = [
		{ ...RESTART, nextRunAt: null },
		{ ...RESTART, nextRunAt: '2026-11-27T04:00:00.000Z' }
	];
	const said = (time: Date) => overlap('restart', [time], others, 'UTC', listedNext);
	expect(said(at)).toBe('Also planned for Fri 27 Nov, 04:00: restart.');
	expect(said(new Date('2026-11-27T05:01:00Z'))).toBeNull();
});

test('a second one of its kind within half a day is found, whatever its time', () => {
	const found = (time: string, type: Task['type'] = 'restart', others: Task[] = [RESTART]) =>
		second(type, [new Date(`2026-11-${time}:00Z`)], others, nextNear(NOW, 'UTC'));
	for (const time of ['26T23:00', '27T02:00', '27T15:00']) expect(found(time), time).toBe(RESTART);
	const monday = { ...RESTART, schedule: '0 4 * * 1' };
	expect(found('27T02:00', 'restart', [monday])).toBeNull();
	expect(found('30T02:00', 'restart', [monday])).toBe(monday);
	expect(found('27T02:00', 'stop')).toBeNull();
	expect(found('27T02:00', 'restart', [{ ...RESTART, enabled: false }])).toBeNull();
	// Each says something else.
	const say = { ...RESTART, type: 'say', message: 'Hello' } as Task;
	expect(found('27T02:00', 'say', [say])).toBeNull();
});
