import { expect, test } from 'vitest';
import { dispatchDeps } from '../../../../../tests/fakes/dispatch-deps.ts';
import { createManualClock } from '../../../../../tests/fakes/manual-clock.ts';
import type { Operation } from '#schemas/operation';
import type { ServerState } from '#schemas/status';
import { changedTask, TaskCreate, taskKind, type TaskAnswer, type TaskRun } from '#schemas/task';
import { AppError } from '#core/errors';
import { createDispatch } from './dispatch.ts';
import { createRunner } from './runner.ts';

const never = new AbortController().signal;
const ADA = { name: 'ada', role: 'admin' as const, address: null };

function setup(over: Parameters<typeof dispatchDeps>[0] & { at?: ServerState } = {}) {
	const clock = createManualClock();
	const done: string[] = [];
	let state: ServerState = over.at ?? 'running';
	let online: number | null = 0;
	const power = (action: string) => async (request: { delaySeconds: number }) => {
		done.push(`${action} ${request.delaySeconds}`);
		return { id: `op-${action}` } as Operation;
	};
	const dispatch = createDispatch(
		dispatchDeps({
			power: { start: power('start'), stop: power('stop'), restart: power('restart') },
			state: async () => state,
			playersOnline: async () => online,
			clock,
			...over
		})
	);
	const written: TaskRun[] = [];
	const runner = createRunner({
		...{ dispatch, clock },
		write: async (run) => void written.push(run),
		log: { error: (_, facts) => void done.push(String(facts?.['cause'])) }
	});
	return {
		...{ dispatch, clock, done, runner, written },
		now: (next: { state?: ServerState; online?: number | null }) => {
			state = next.state ?? state;
			if (next.online !== undefined) online = next.online;
		}
	};
}

test('a restart is announced beforehand, and skipped when the server does not run', async () => {
	const { dispatch, done, now } = setup();
	const order = { type: 'restart' as const, options: { delaySeconds: '30' } };
	expect(await dispatch(order, never)).toMatchObject({ result: 'done', exitCode: 0 });
	expect(done).toEqual(['restart 30']);
	now({ state: 'crashed' });
	expect(await dispatch(order, never)).toMatchObject({ result: 'skipped', exitCode: 0 });
	expect(done).toHaveLength(1);
});

test('start and stop do nothing when there is nothing to do', async () => {
	for (const [type, state] of [
		['start', 'running'],
		['start', 'starting'],
		['stop', 'stopped'],
		['stop', 'stopping']
	] as const) {
		const { dispatch, done } = setup({ at: state });
		expect(await dispatch({ type, options: {} }, never)).toMatchObject({ result: 'skipped' });
		expect(done).toEqual([]);
	}
});

test('a restart for an empty server is skipped while somebody plays, and while that is unknown', async () => {
	const { dispatch, done, now } = setup();
	const order = { type: 'restart' as const, options: { whenEmpty: 'only' } };
	now({ online: 2 });
	expect(await dispatch(order, never)).toMatchObject({
		result: 'skipped',
		detail: '2 players are online, so the server was not restarted.'
	});
	now({ online: null });
	expect(await dispatch(order, never)).toMatchObject({ result: 'skipped' });
	expect(done).toEqual([]);
	now({ online: 0 });
	expect(await dispatch(order, never)).toMatchObject({ result: 'done' });
});

test('a restart waits until nobody plays, and is skipped when somebody still does', async () => {
	const { dispatch, done, clock, now } = setup();
	const order = { type: 'restart' as const, options: { whenEmpty: 'wait', waitMinutes: '10' } };
	now({ online: 1 });
	const waiting = dispatch(order, never);
	await clock.advance(5 * 60_000);
	expect(done).toEqual([]);
	now({ online: 0 });
	await clock.advance(20_000);
	expect(await waiting).toMatchObject({ result: 'done' });
	now({ online: 3 });
	const late = dispatch(order, never);
	await clock.advance(11 * 60_000);
	expect(await late).toMatchObject({ result: 'skipped' });
	expect(done).toEqual(['restart 0']);
});

test('mods are looked up and updated by name; a blocked plan is not tried for ten minutes', async () => {
	const mod = (fileName: string, more = {}) => ({
		...{ fileName, current: '1', updateAvailable: true, locked: false, error: null },
		failedHere: null,
		leftOut: false,
		latest: { version: '2' } as never,
		...more
	});
	const mods = [
		mod('a.jar'),
		mod('b.jar', { locked: true }),
		mod('d.jar', { failedHere: { certain: true }, leftOut: true }),
		mod('c.jar')
	];
	const updates = async () => ({ checkedAt: '2026-01-01T00:00:00.000Z', mods });
	const { dispatch } = setup({ modUpdates: updates, updateMods: async () => ({}) as Operation });
	expect(await dispatch({ type: 'mods-check', options: {} }, never)).toMatchObject({
		detail: '2 mods have updates: a.jar → 2 and c.jar → 2.'
	});
	expect(await dispatch({ type: 'update-mods', options: {} }, never)).toMatchObject({
		detail: '2 mods were updated: a.jar → 2 and c.jar → 2.'
	});
	const blocked = setup({
		modUpdates: updates,
		updateMods: async () => {
			throw new AppError('conflict', 'It lacks Fabric API.', { code: 'plan-blocked' });
		}
	});
	expect(await blocked.dispatch({ type: 'update-mods', options: {} }, never)).toMatchObject({
		result: 'failed',
		detail: 'It lacks Fabric API.'
	});
	const down = setup({
		modUpdates: async () => ({ checkedAt: null, mods: [mod('a.jar', { error: 'It is down.' })] })
	});
	expect(await down.dispatch({ type: 'mods-check', options: {} }, never)).toMatchObject({
		result: 'failed',
		detail: 'It is down.'
	});
});

test('run now answers with the operation while it runs, and the run is listed when it is over', async () => {
	let end: (operation: Operation) => void = () => {};
	const { runner, written } = setup({ ended: () => new Promise((resolve) => (end = resolve)) });
	const run = () => runner.runHere('0123456789abcdef', { type: 'restart' }, ADA);
	expect(await run()).toEqual({ operationId: 'op-restart' });
	expect(await run()).toMatchObject({
		...{ ok: true, skipped: true },
		output: 'It was started before, and is not over yet.'
	});
	expect(written).toEqual([]);
	end({ state: 'succeeded', cause: null } as Operation);
	await expect.poll(() => written).toMatchObject([{ result: 'done', id: '0123456789abcdef' }]);
});

test('run now says at once what it waits for, or what blocks it', async () => {
	const waiting = setup();
	waiting.now({ online: 4 });
	const restart = { type: 'restart' as const, whenEmpty: 'wait', waitMinutes: 5 };
	const answer: TaskAnswer = await waiting.runner.runHere('a', restart, ADA);
	expect(answer).toMatchObject({
		...{ ok: true, waits: true },
		output: expect.stringContaining('4 players')
	});
	waiting.runner.close();
	await expect.poll(() => waiting.written).toMatchObject([{ result: 'failed' }]);
	expect(waiting.done).toEqual([]);

	const held = async (): Promise<never> => {
		throw new AppError('conflict', 'A backup runs.');
	};
	const busy = setup({ power: { start: held, stop: held, restart: held } });
	expect(await busy.runner.runHere('a', { type: 'stop' }, ADA)).toMatchObject({
		ok: false,
		output: 'A backup runs.'
	});
});

test('what waits is listed until it begins, and whoever calls it off has nothing done', async () => {
	const { runner, clock, now, done, written } = setup();
	now({ online: 2 });
	const restart = { type: 'restart' as const, options: { whenEmpty: 'wait', waitMinutes: '10' } };
	const byHand = runner.run('a', restart, {});
	// Of cron, whose process waits for the answer.
	const byCron = runner.perform(restart, never);
	const why = '2 players are online: it restarts once nobody is playing, within 10 minutes.';
	const since = clock.now().toISOString();
	await expect
		.poll(() => runner.waiting())
		.toMatchObject([{ key: '1', type: 'restart', since, why }, { key: '2' }]);
	now({ online: 1 });
	await clock.advance(30_000);
	expect(runner.waiting()[0]).toMatchObject({ since, why: expect.stringMatching(/^One player/) });
	expect(runner.callOff('1', ADA)).toMatchObject({ key: '1' });
	const off = { result: 'skipped', exitCode: 0, detail: 'Called off by ada.' };
	expect(await byHand).toEqual(off);
	expect(written).toMatchObject([{ ...off, id: 'a' }]);
	expect(runner.callOff('1', ADA)).toBeNull();
	expect(runner.waiting()).toMatchObject([{ key: '2' }]);
	expect(done).toEqual([]);
	now({ online: 0 });
	await clock.advance(30_000);
	expect(await byCron).toMatchObject({ result: 'done' });
	expect(done).toEqual(['restart 0']);
	expect(runner.waiting()).toEqual([]);
});

test('what is called off too late says that it was done', async () => {
	const { promise: looked, resolve: looksEmpty } = Promise.withResolvers<number>();
	let looks = 0;
	const { runner, clock, done } = setup({
		playersOnline: async () => (looks++ ? looked : 2),
		ended: async () => ({ state: 'succeeded', cause: null }) as Operation
	});
	const restart = { type: 'restart' as const, options: { whenEmpty: 'wait', waitMinutes: '10' } };
	const run = runner.run('a', restart, {});
	await expect.poll(() => runner.waiting()).toHaveLength(1);
	await clock.advance(30_000);
	expect(looks).toBe(2);
	runner.callOff('1', ADA);
	looksEmpty(0);
	expect(await run).toMatchObject({ result: 'done' });
	expect(done).toEqual(['restart 0']);
});

test('run now says apart from success and failure that it was skipped', async () => {
	const played = setup();
	played.now({ online: 5 });
	const only = { type: 'restart' as const, whenEmpty: 'only' };
	expect(await played.runner.runHere('a', only, ADA)).toMatchObject({
		...{ ok: true, exitCode: 0, skipped: true },
		output: '5 players are online, so the server was not restarted.'
	});
	expect(played.done).toEqual([]);
});

test('a change with a type replaces its options, and one without keeps them', () => {
	const task = TaskCreate.parse({ type: 'restart', schedule: '0 4 * * *', whenEmpty: 'only' });
	const to = (change: object) => changedTask(task, { id: 'x', ...change });
	expect(to({ schedule: '0 5 * * *' }).data).toEqual({ ...task, schedule: '0 5 * * *' });
	expect(to({ delaySeconds: 9 }).data).toEqual({ ...task, delaySeconds: 9 });
	expect(to({ whenEmpty: null }).data).not.toHaveProperty('whenEmpty');
	expect(to({ type: 'restart', delaySeconds: 9 }).data).not.toHaveProperty('whenEmpty');
	expect(to({ type: 'say', message: 'Hi' }).data).toEqual({
		...{ type: 'say', schedule: '0 4 * * *', message: 'Hi' }
	});
	for (const wrong of [{ type: 'say' }, { message: 'Hi' }, { schedule: '@daily' }])
		expect(to(wrong).success).toBe(false);
});

test('only a console command is restricted to superadmins', () => {
	const all = ['restart', 'start', 'stop', 'backup', 'say', 'console'] as const;
	expect(all.filter((type) => taskKind(type).role === 'superadmin')).toEqual(['console']);
});
