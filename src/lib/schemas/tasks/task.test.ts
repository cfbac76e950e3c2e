import { expect, test } from 'vitest';
import { changedTask, Schedule, TaskCreate, TaskDraft, TaskForm, TaskId } from '../task.ts';

const good = (text: string) => Schedule.safeParse(text).success;

test('five fields in the supported forms, within cron’s ranges', () => {
	for (const text of [
		'* * * * *',
		'0 0 1 1 0',
		'59 23 31 12 7',
		'*/5 */2 */3 */4 */6',
		'0-30 1-5 1-31 1-12 0-7',
		'1,2 3,4,5 6,7 8,9 0,7',
		'00 04 * * *'
	])
		expect(good(text), text).toBe(true);
	expect(Schedule.parse('  0\t4   * * 1 ')).toBe('0 4 * * 1');
});

test('anything else is rejected', () => {
	for (const text of [
		'',
		'* * * *',
		'* * * * * *',
		'* * * * * rm',
		'@reboot',
		'@daily',
		'61 * * * *',
		'60 * * * *',
		'* 24 * * *',
		'* * 0 * *',
		'* * 32 * *',
		'* * * 13 *',
		'* * * * 8',
		'*/0 * * * *',
		'*/60 * * * *',
		'5-1 * * * *',
		'1-5/2 * * * *',
		'1,*/2 * * * *',
		'* * * JAN *',
		'* * * * MON',
		'? * * * *',
		'* * L * *',
		'-1 * * * *',
		'1- * * * *',
		'1, * * * *',
		'0 0 * * *\n* * * * * rm',
		'0 0 * * %',
		`${'1,'.repeat(5000)}1 * * * *`
	])
		expect(good(text), JSON.stringify(text)).toBe(false);
});

test('each type takes its own options, and nothing else', () => {
	const schedule = '0 4 * * *';
	const ok = (body: unknown) => TaskCreate.safeParse(body).success;
	expect(ok({ type: 'say', schedule, message: 'Hello $(world) 100% #1' })).toBe(true);
	expect(ok({ type: 'backup', schedule })).toBe(true);
	expect(ok({ type: 'snapshot-prune', schedule, keep: 50 })).toBe(true);
	for (const body of [
		{ type: 'say', schedule },
		{ type: 'say', schedule, message: '' },
		{ type: 'say', schedule, message: ' ' },
		{ type: 'say', schedule, message: 'x'.repeat(121) },
		{ type: 'say', schedule, message: 'two\nlines' },
		{ type: 'say', schedule, message: 'carriage\rreturn' },
		{ type: 'say', schedule, message: 'nul\0' },
		{ type: 'say', schedule, message: '`id`' },
		{ type: 'say', schedule, message: "it's" },
		{ type: 'say', schedule, message: 'a "quote"' },
		{ type: 'say', schedule, message: '\ud800' },
		{ type: 'say', schedule, message: 'x', keep: 3 },
		{ type: 'backup', schedule, message: 'x' },
		{ type: 'snapshot-prune', schedule },
		{ type: 'snapshot-prune', schedule, keep: 0 },
		{ type: 'snapshot-prune', schedule, keep: 51 },
		{ type: 'snapshot-prune', schedule, keep: 1.5 },
		{ type: 'snapshot-prune', schedule, keep: 'many' },
		{ type: 'reboot', schedule },
		{ type: 'backup', schedule: '@daily' },
		{ type: 'backup', schedule, command: 'rm -rf /' }
	])
		expect(ok(body), JSON.stringify(body)).toBe(false);
});

test('an id is exactly sixteen hexadecimal digits', () => {
	expect(TaskId.safeParse('0123456789abcDEF').success).toBe(true);
	for (const id of ['0123456789abcde', '0123456789abcdef0', '0123456789abcdeg', '../../etc/passwd'])
		expect(TaskId.safeParse(id).success).toBe(false);
});

test('of what an address says about a task, what makes sense stands in the form', () => {
	const said = { type: 'backup', preset: 'weekly', time: '03:00', day: '0' };
	expect(TaskDraft.parse({ ...said, other: '1' })).toEqual(said);
	expect(TaskDraft.parse({ type: 'rm', preset: 'x', time: '25:00', day: '9', hours: '5' })).toEqual(
		{}
	);
});

const ONCE = { type: 'backup', schedule: '0 23 26 11 *', on: '2026-11-26' };

test('a task for one day has the schedule of that day', () => {
	const of = (change: object) => TaskCreate.safeParse({ ...ONCE, ...change });
	expect(of({}).data).toEqual(ONCE);
	expect(of({ schedule: '00 06 01 02 *', on: '2027-02-01' }).success).toBe(true);
	for (const schedule of [
		'0 23 27 11 *',
		'0 23 26 12 *',
		'0 23 26 11 4',
		'0 23 * * *',
		'* 23 26 11 *'
	])
		expect(of({ schedule }).error?.issues[0]?.message, schedule).toContain('For one day alone');
	for (const on of ['2027-02-29', '26.11.2026', 'today', '', null])
		expect(of({ on }).success, String(on)).toBe(false);
});

test('the day goes with the schedule when a task is changed', () => {
	const to = (change: object) => changedTask(TaskCreate.parse(ONCE), { id: 'x', ...change }).data;
	expect(to({ type: 'start' })).toEqual({ ...ONCE, type: 'start', on: '2026-11-26' });
	expect(to({ schedule: '0 4 * * *' })).toEqual({ type: 'backup', schedule: '0 4 * * *' });
	expect(to({ schedule: '0 22 26 11 *', on: '2026-11-26' })).toMatchObject({ on: '2026-11-26' });
	expect(to({ on: '2026-11-27' })).toBeUndefined();
	expect(to({ on: null })).toEqual({ type: 'backup', schedule: ONCE.schedule });
});

test('the form makes it of a day and a time', () => {
	const form = { type: 'backup', preset: 'once', on: '2026-11-06', time: '23:00', hours: '6' };
	expect(TaskForm.safeParse(form).data).toEqual({ ...ONCE, schedule: '0 23 6 11 *', on: form.on });
	expect(TaskForm.safeParse({ ...form, on: '' }).error?.issues).toMatchObject([
		{ path: ['on'], message: 'Choose a day' }
	]);
	expect(TaskForm.safeParse({ ...form, preset: 'daily' }).data).not.toHaveProperty('on', form.on);
	expect(TaskDraft.parse({ preset: 'once', on: '2026-11-26', time: '23:00' })).toEqual({
		...{ preset: 'once', on: '2026-11-26', time: '23:00' }
	});
	expect(TaskDraft.parse({ on: 'tonight', day: 'someday' })).toEqual({});
	expect(TaskDraft.parse({ day: 'tomorrow' })).toEqual({ day: 'tomorrow' });
});
