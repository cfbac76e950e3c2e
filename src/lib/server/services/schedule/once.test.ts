import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createManualClock } from '../../../../../tests/fakes/manual-clock.ts';
import { tempDir } from '../../../../../tests/faults/temp.ts';
import type { TaskCreate, TaskRun } from '#schemas/task';
import { AppError } from '#core/errors';
import { run } from '#core/exec';
import { createLock } from '#core/lock';
import { createFileCrontab } from '#storage/crontab';
import { commandBuilder } from './command.ts';
import { createSchedules } from './index.ts';
import { createOnce } from './once.ts';

const BY = { name: 'ada', role: 'admin' as const, address: null };
const ONCE: TaskCreate = { type: 'backup', schedule: '0 23 26 11 *', on: '2026-11-26' };
const ORDER = { type: 'backup' as const, options: {} };
const FOREIGN = '# mine\t\r\n0 23 26 11 *\techo \xff 100\\%\n';

/** Times without a zone are of the machine's own, as they are for cron. */
async function setup(now: string) {
	const dir = await tempDir();
	const clock = createManualClock(new Date(now).toISOString());
	const table = createFileCrontab(path.join(dir, 'crontab'));
	await table.write(FOREIGN, '');
	const lock = createLock(path.join(dir, 'lock'), clock);
	onTestFinished(() => lock.close());
	const audited: string[] = [];
	const history: TaskRun[] = [];
	const schedule = createSchedules({
		scheduler: 'embedded',
		...{ table, lock, clock, execute: run },
		build: commandBuilder('/srv/scripts/task', '/srv/data'),
		daemonProblem: async () => null,
		history: async () => history,
		runner: { runHere: async () => ({ operationId: '' }), waiting: () => [], callOff: () => null },
		environment: {},
		audit: async (by, action) => void audited.push(`${by.name} ${action}`)
	});
	const done: string[] = [];
	const make = (over: Partial<Parameters<typeof createOnce>[0]> = {}) =>
		createOnce({
			dispatch: async ({ type }) => {
				done.push(type);
				return { result: 'done', exitCode: 0, detail: 'Backup made.' };
			},
			...{ remove: schedule.remove, clock, ...over }
		});
	return { schedule, table, clock, audited, history, done, once: make(), make };
}

const never = new AbortController().signal;

test('on its day it is done, and its line is taken out; foreign lines keep every byte', async () => {
	const { schedule, table, clock, audited, done, once } = await setup('2026-11-26T22:00');
	const task = await schedule.add(ONCE, BY);
	expect(task).toMatchObject({
		...ONCE,
		human: 'Once, on Thursday 26 November at 23:00',
		nextRunAt: new Date('2026-11-26T23:00').toISOString()
	});
	const other = await schedule.add({ ...ONCE, type: 'start' }, BY);
	await clock.advance(3_600_000);
	expect(await once(ORDER, never, { id: task.id, on: '2026-11-26' })).toEqual({
		...{ result: 'done', exitCode: 0, detail: 'Backup made.' }
	});
	expect(done).toEqual(['backup']);
	expect((await schedule.list()).tasks.map(({ id }) => id)).toEqual([other.id]);
	await schedule.remove(other.id, BY);
	expect(await table.read()).toBe(FOREIGN);
	expect(audited).toContain('schedule task.remove');
});

test('a year later it is not done, and its line goes; a clock that is slow removes nothing', async () => {
	for (const [now, left] of [
		['2027-11-26T23:00', 0],
		['2025-11-26T23:00', 1]
	] as const) {
		const { schedule, done, make } = await setup('2026-11-26T22:00');
		const { id } = await schedule.add(ONCE, BY);
		const later = make({ clock: createManualClock(new Date(now).toISOString()) });
		expect(await later(ORDER, never, { id, on: '2026-11-26' })).toEqual({
			...{ result: 'skipped', exitCode: 0, detail: 'It was only for the day 2026-11-26.' }
		});
		expect(done).toEqual([]);
		expect((await schedule.list()).tasks).toHaveLength(left);
	}
});

test('begun a little after midnight it is done all the same', async () => {
	const { done, once } = await setup('2026-11-27T00:01');
	await once(ORDER, never, { id: null, on: '2026-11-26' });
	expect(done).toEqual(['backup']);
});

test('where the line cannot be taken out it is done, and says so; one that was planned anew stays', async () => {
	const { schedule, table, clock, done, once, make } = await setup('2026-11-26T22:59');
	const stuck = make({
		remove: async () => {
			throw new AppError('upstream', 'The crontab could not be written.');
		}
	});
	const { id } = await schedule.add(ONCE, BY);
	expect(await stuck(ORDER, never, { id, on: '2026-11-26' })).toMatchObject({
		result: 'done',
		detail: expect.stringMatching(/^Backup made\. It is over, but its line .* not be written\.$/)
	});
	await schedule.change({ id, schedule: '0 23 27 11 *', on: '2026-11-27' }, BY);
	const before = await table.read();
	await clock.advance(60_000);
	expect(await once(ORDER, never, { id, on: '2026-11-26' })).toMatchObject({
		detail: 'Backup made.'
	});
	expect(await table.read()).toBe(before);
	expect(done).toHaveLength(2);
});

test('a day that has passed, or is over a year away, is refused; what is over can be planned anew', async () => {
	const { schedule, table, clock, history } = await setup('2026-11-26T22:00');
	for (const [on, schedules, words] of [
		['2026-11-25', '0 23 25 11 *', 'That time has passed'],
		['2026-11-26', '0 22 26 11 *', 'That time has passed'],
		['2027-11-27', '0 23 27 11 *', 'more than a year ahead']
	] as const) {
		const refused = schedule.add({ ...ONCE, on, schedule: schedules }, BY);
		await expect(refused, on).rejects.toMatchObject({ kind: 'invalid', issues: [{ path: 'on' }] });
		await expect(refused).rejects.toThrow(words);
	}
	expect(await table.read()).toBe(FOREIGN);

	const { id } = await schedule.add(ONCE, BY);
	const shown = async () => (await schedule.list()).tasks[0];
	await clock.advance(3_600_000);
	expect(await shown()).toMatchObject({ nextRunAt: null });
	expect(await shown()).not.toHaveProperty('missed');
	await clock.advance(24 * 3_600_000);
	expect(await shown()).toMatchObject({ nextRunAt: null, missed: true });
	const run = { type: 'backup', result: 'done', exitCode: 0, durationMs: 1, detail: '' } as const;
	history.push({ ...run, id, at: new Date('2026-11-26T21:00').toISOString() });
	expect(await shown()).toHaveProperty('missed', true);
	history.push({ ...run, id, at: new Date('2026-11-26T23:00:02').toISOString() });
	expect(await shown()).not.toHaveProperty('missed');

	await schedule.change({ id, enabled: false }, BY);
	await expect(schedule.change({ id, enabled: true }, BY)).rejects.toThrow('has passed');
	const again = { id, enabled: true, schedule: '0 6 1 12 *', on: '2026-12-01' };
	expect(await schedule.change(again, BY)).toMatchObject({
		human: 'Once, on Tuesday 1 December at 06:00'
	});
	await expect(
		schedule.change({ id, schedule: '0 6 1 1 *', on: '2026-01-01' }, BY)
	).rejects.toThrow('has passed');
});
