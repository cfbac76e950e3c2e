import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { dispatchDeps } from '../../../../../tests/fakes/dispatch-deps.ts';
import { createManualClock } from '../../../../../tests/fakes/manual-clock.ts';
import { isDue } from '#schemas/cron/cron';
import type { Operation } from '#schemas/operation';
import type { Actor } from '#core/actor';
import { AppError } from '#core/errors';
import { run } from '#core/exec';
import { createLock } from '#core/lock';
import { createFileCrontab } from '#storage/crontab';
import { createDispatch } from './dispatch.ts';
import { createEmbedded } from './embedded.ts';
import { readRuns } from './history.ts';
import { createSchedules } from './index.ts';
import { commandBuilder, quoted, type BuildCommand } from './command.ts';
import { parseTable, toLine } from './lines.ts';

const BY: Actor = { name: 'ada', role: 'admin', address: null };
const SAY = { type: 'say' as const, schedule: '30 4 * * 1', message: 'Hello' };

async function setup({
	build = commandBuilder('/srv/scripts/task', '/srv/data')
}: { build?: BuildCommand } = {}) {
	const dir = await mkdtemp(path.join(tmpdir(), 'schedule-'));
	const clock = createManualClock('2026-11-20T12:00:00.000Z');
	const table = createFileCrontab(path.join(dir, 'crontab'));
	const lock = createLock(path.join(dir, 'lock'), clock);
	onTestFinished(async () => {
		lock.close();
		await rm(dir, { recursive: true });
	});
	const audited: string[] = [];
	const schedule = createSchedules({
		scheduler: 'embedded',
		table,
		build,
		lock,
		daemonProblem: async () => null,
		history: async () => [],
		execute: run,
		runner: {
			runHere: async () => ({ operationId: '20261120T120000000Z-0000' }),
			waiting: () => [],
			callOff: () => null
		},
		environment: { PATH: '/usr/bin:/bin' },
		audit: async (_, action, facts) => void audited.push(`${action} ${facts?.result ?? 'done'}`),
		clock,
		timeZone: 'UTC'
	});
	return { schedule, table, clock, audited, build };
}

test('a task goes through add, disable, enable and remove, and foreign lines stay', async () => {
	const { schedule, table, audited } = await setup();
	await table.write('# mine\n0 1 * * * backup', '');
	const task = await schedule.add(SAY, BY);
	expect(task).toMatchObject({
		...SAY,
		enabled: true,
		human: 'Every Monday at 04:30',
		nextRunAt: '2026-11-23T04:30:00.000Z'
	});
	expect(task.id).toMatch(/^[0-9a-f]{16}$/);
	const written = await table.read();
	expect(written).toMatch(/^# mine\n0 1 \* \* \* backup\n30 4 \* \* 1 /);

	await expect(schedule.change({ id: task.id, enabled: false }, BY)).resolves.toMatchObject({
		enabled: false,
		nextRunAt: null
	});
	expect(await table.read()).toContain(`\n#DISABLED ${written.split('\n')[2]}\n`);
	await schedule.change({ id: task.id.toUpperCase(), enabled: true }, BY);
	expect(await table.read()).toBe(written);
	await schedule.remove(task.id, BY);
	expect(await table.read()).toBe('# mine\n0 1 * * * backup\n');
	await expect(schedule.remove(task.id, BY)).rejects.toMatchObject({ kind: 'not-found' });
	await expect(schedule.change({ id: task.id, enabled: true }, BY)).rejects.toMatchObject({
		kind: 'not-found'
	});
	expect(audited).toEqual([
		'task.add done',
		'task.disable done',
		'task.enable done',
		'task.remove done'
	]);
});

const RESTART = { type: 'restart' as const, schedule: '0 5 26 11 *', delaySeconds: 60 };

test('many changes at once all land', async () => {
	const { schedule } = await setup();
	await Promise.all(
		Array.from({ length: 5 }, (_, i) =>
			schedule.add({ type: 'backup', schedule: `${i} 0 * * *` }, BY)
		)
	);
	expect((await schedule.list()).tasks).toHaveLength(5);
});

test('tasks are listed by their next runs, what never runs again last', async () => {
	const { schedule, clock } = await setup();
	const add = (task: Parameters<typeof schedule.add>[0]) => schedule.add(task, BY);
	const off = await add({ type: 'backup', schedule: '5 12 * * *' });
	await schedule.change({ id: off.id, enabled: false }, BY);
	await add({ ...RESTART, schedule: '30 4 * * 1' });
	await add({ ...RESTART, schedule: '1 12 20 11 *', on: '2026-11-20' });
	await add(SAY);
	await add({ type: 'backup', schedule: '0 13 * * *' });
	await clock.advance(2 * 60_000);
	expect((await schedule.list()).tasks.map(({ human, type }) => `${human}: ${type}`)).toEqual([
		'Every day at 13:00: backup',
		'Every Monday at 04:30: say',
		'Every Monday at 04:30: restart',
		'Every day at 12:05: backup',
		'Once, on Friday 20 November at 12:01: restart'
	]);
});

test('the same task is not there twice, also when it is sent twice at once', async () => {
	const { schedule, table, build } = await setup();
	const sent = await Promise.allSettled([schedule.add(SAY, BY), schedule.add(SAY, BY)]);
	expect(sent.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
	await expect(schedule.add({ ...SAY }, BY)).rejects.toMatchObject({
		...{ kind: 'conflict', message: 'This is scheduled already.' }
	});
	for (const other of [
		{ ...SAY, message: 'Hello!' },
		{ ...SAY, schedule: '31 4 * * 1' },
		{ ...RESTART, whenEmpty: 'only' as const },
		{ ...RESTART, whenEmpty: 'wait' as const },
		RESTART,
		{ ...RESTART, on: '2026-11-26' }
	])
		await schedule.add(other, BY);
	const first = (await schedule.list()).tasks.find(
		(one) => one.type === 'say' && one.message === SAY.message && one.schedule === SAY.schedule
	);
	await schedule.change({ id: first!.id, enabled: false }, BY);
	await expect(schedule.add(SAY, BY)).rejects.toThrow(/and disabled\. Enable it/);
	const other = (await schedule.list()).tasks.find(({ schedule }) => schedule === '31 4 * * 1');
	await expect(schedule.change({ id: other!.id, schedule: SAY.schedule }, BY)).rejects.toThrow(
		/scheduled already/
	);
	// Two that are there already, of an earlier version, still go on and off.
	const before = await table.read();
	const twin = toLine({ ...SAY, id: 'a'.repeat(16), enabled: true }, build);
	await table.write(`${before}${twin}\n`, before);
	await schedule.change({ id: first!.id, enabled: true }, BY);
	await schedule.change({ id: first!.id, schedule: SAY.schedule, enabled: true }, BY);
	expect((await schedule.list()).tasks.filter(({ enabled }) => enabled)).toHaveLength(8);
});

test('there is room for a hundred tasks, and then a message that says what to do', async () => {
	const { schedule, table, build } = await setup();
	const lines = Array.from({ length: 99 }, (_, i) =>
		toLine(
			{ ...SAY, message: `${i}`, id: i.toString(16).padStart(16, '0'), enabled: i > 50 },
			build
		)
	);
	await table.write(`# theirs\n${lines.join('\n')}\n`, '');
	const last = await schedule.add(SAY, BY);
	const full = await table.read();
	const oneMore = schedule.add({ ...SAY, message: 'One more' }, BY);
	await expect(oneMore).rejects.toMatchObject({ kind: 'conflict' });
	await expect(oneMore).rejects.toThrow(/already 100 scheduled tasks.*Remove one/);
	expect(await table.read()).toBe(full);
	await schedule.change({ id: last.id, enabled: false }, BY);
	await schedule.remove(last.id, BY);
	await schedule.add(SAY, BY);
});

test('a damaged table is shown and not written', async () => {
	const { schedule, table } = await setup();
	await schedule.add(SAY, BY);
	const text = await table.read();
	await table.write(text + text, text);
	const list = await schedule.list();
	expect(list.readOnly).toMatch(/twice/);
	await expect(schedule.add(SAY, BY)).rejects.toMatchObject({ kind: 'conflict' });
	expect(await table.read()).toBe(text + text);
});

/** Commands that a test can inspect, in place of the dispatcher. */
const shell = (script: string) => (): string => `/bin/sh -c ${quoted(script)}`;

test('run now runs the exact command, and reports how it ended', async () => {
	const good = await setup({ build: shell('echo hello; echo "$HOME" | cat; exit 0') });
	const { id } = await good.schedule.add(SAY, BY);
	await good.schedule.change({ id, enabled: false }, BY);
	const done = await good.schedule.run(id, BY);
	expect(done).toMatchObject({ ok: true, exitCode: 0 });
	expect(done).toMatchObject({ output: expect.stringContaining('hello') });

	const bad = await setup({ build: shell('printf "\\033[31mno\\033[0m\\007" >&2; exit 75') });
	const other = await bad.schedule.add(SAY, BY);
	expect(await bad.schedule.run(other.id, BY)).toMatchObject({
		ok: false,
		exitCode: 75,
		output: 'no '
	});
	expect(bad.audited.at(-1)).toBe('task.run failed');
	await expect(bad.schedule.run('0'.repeat(16), BY)).rejects.toMatchObject({ kind: 'not-found' });
});

test('a run whose client disconnects is ended with everything it started', async () => {
	const { schedule } = await setup({ build: shell('sleep 300 & echo $!; wait') });
	const { id } = await schedule.add(SAY, BY);
	const gone = new AbortController();
	const running = schedule.run(id, BY, gone.signal);
	setTimeout(() => gone.abort(new Error('gone')), 100);
	await expect(running).rejects.toThrow('gone');
});

test('the embedded scheduler starts what is due, once a minute, and never twice at once', async () => {
	const { schedule, table, clock, build } = await setup();
	await schedule.add({ type: 'backup', schedule: '*/2 * * * *' }, BY);
	const off = await schedule.add({ type: 'backup', schedule: '* * * * *' }, BY);
	await schedule.change({ id: off.id, enabled: false }, BY);
	const { tasks } = parseTable(await table.read(), build);
	const started: string[] = [];
	let end = () => {};
	const warn = vi.fn();
	const embedded = createEmbedded({
		tasks: async () => tasks,
		build,
		due: async () => isDue,
		execute: async (_, args, options) => {
			started.push(`${clock.now().toISOString().slice(11, 16)} ${args[1]?.includes('backup')}`);
			await new Promise<void>((resolve) => {
				end = resolve;
				options?.signal?.addEventListener('abort', () => resolve());
			});
			return { stdout: '', stderr: '', exitCode: 0 };
		},
		environment: {},
		clock,
		log: { warn },
		timeZone: 'UTC'
	});
	embedded.start();
	await clock.advance(61_000);
	expect(started).toEqual([]);
	await clock.advance(60_000);
	await vi.waitFor(() => expect(started).toEqual(['12:02 true']));
	await clock.advance(120_000);
	await vi.waitFor(() => expect(warn).toHaveBeenCalledTimes(1));
	end();
	await clock.advance(120_000);
	await vi.waitFor(() => expect(started).toHaveLength(2));
	await embedded.close();
	await clock.advance(600_000);
	expect(started).toHaveLength(2);
});

function dispatching(over: Parameters<typeof dispatchDeps>[0] = {}) {
	const clock = createManualClock();
	const said: string[] = [];
	const pruned: number[] = [];
	const dispatch = createDispatch(
		dispatchDeps({
			command: async (line) => (said.push(line), ''),
			backup: async () => ({ id: 'x' }) as Operation,
			prune: async (keep) => (pruned.push(keep), { removed: 2 }),
			clock,
			...over
		})
	);
	return { dispatch, said, pruned, clock, never: new AbortController().signal };
}

test('say strips line breaks, prune clamps its number', async () => {
	const { dispatch, said, pruned, never } = dispatching();
	await dispatch({ type: 'say', options: { message: 'one\r\nop steve\rtwo\0' } }, never);
	expect(said).toEqual(['say one op steve two']);
	for (const keep of ['7', '0', '-3', '999', '2.9', 'x', '', undefined])
		await dispatch({ type: 'snapshot-prune', options: { keep } }, never);
	expect(pruned).toEqual([7, 1, 1, 50, 2, 10, 10, 10]);
	expect(await dispatch({ type: 'say', options: { message: ' \n ' } }, never)).toMatchObject({
		exitCode: 1
	});
});

test('a held lock is waited for, then skipped with 75', async () => {
	let tries = 0;
	const busy = async () => {
		tries++;
		throw new AppError('conflict', 'The server is being restarted.');
	};
	const { dispatch, clock, never } = dispatching({ backup: busy });
	const ended = dispatch({ type: 'backup', options: {} }, never);
	await clock.advance(11 * 60_000);
	expect(await ended).toMatchObject({ result: 'skipped', exitCode: 75 });
	expect(tries).toBeGreaterThan(100);

	let held = 3;
	const soon = dispatching({
		backup: async () => {
			if (held-- > 0) throw new AppError('busy', 'Held.');
			return { id: 'x' } as Operation;
		}
	});
	const done = soon.dispatch({ type: 'backup', options: {} }, soon.never);
	await soon.clock.advance(60_000);
	expect(await done).toMatchObject({ result: 'done', exitCode: 0 });
});

test('an unneeded backup is skipped quietly, a failed one is a failure', async () => {
	const idle = dispatching({ backup: async () => null });
	expect(await idle.dispatch({ type: 'backup', options: {} }, idle.never)).toMatchObject({
		result: 'skipped',
		exitCode: 0
	});
	const failed = dispatching({
		ended: async () =>
			({
				state: 'failed',
				cause: { message: 'The disk is full.', log: [], mods: [] }
			}) as unknown as Operation
	});
	expect(await failed.dispatch({ type: 'backup', options: {} }, failed.never)).toEqual({
		result: 'failed',
		exitCode: 1,
		detail: 'The disk is full.'
	});
	const offline = dispatching({
		command: async () => {
			throw new AppError('offline', 'The server is offline.');
		}
	});
	expect(
		await offline.dispatch({ type: 'say', options: { message: 'x' } }, offline.never)
	).toMatchObject({
		result: 'failed',
		exitCode: 1
	});
});

test('what a person calls off is skipped, and no failure', async () => {
	const { dispatch, never } = dispatching({
		ended: async () => ({ kind: 'backup', state: 'cancelled', cause: null }) as Operation
	});
	expect(await dispatch({ type: 'backup', options: {} }, never)).toEqual({
		result: 'skipped',
		exitCode: 0,
		detail: 'The backup was called off.'
	});
});

test('a dispatcher that is told to end cancels its backup', async () => {
	const cancelled: string[] = [];
	let over: (operation: Operation) => void = () => {};
	const { dispatch } = dispatching({
		ended: () => new Promise((resolve) => (over = resolve)),
		cancel: async (id) => {
			cancelled.push(id);
			over({ state: 'cancelled', cause: null } as Operation);
		}
	});
	const stop = new AbortController();
	const ended = dispatch({ type: 'backup', options: {} }, stop.signal);
	await vi.waitFor(() => expect(over).not.toBeUndefined());
	setTimeout(() => stop.abort(), 10);
	expect(await ended).toMatchObject({ exitCode: 1, detail: 'Stopped before it was done.' });
	expect(cancelled).toEqual(['x']);
});

test('history is parsed from lines, and foreign lines are skipped', () => {
	const line = (n: number) =>
		JSON.stringify({
			at: `2026-11-20T0${n}:00:00.000Z`,
			id: null,
			type: 'say',
			result: 'done',
			exitCode: 0,
			durationMs: 1,
			detail: 'x'
		});
	expect(readRuns([line(1), 'torn {', '{"at":1}', '', line(2)]).map(({ at }) => at)).toEqual([
		'2026-11-20T02:00:00.000Z',
		'2026-11-20T01:00:00.000Z'
	]);
});
