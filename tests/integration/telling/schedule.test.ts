import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '#core/exec';
import type { Operation } from '#schemas/operation';
import type { TaskRun } from '#schemas/task';
import {
	ADMIN,
	eventually,
	processesIn,
	signedIn,
	type Dashboard,
	type Visitor
} from '../../harness.ts';
import { ended, power, status } from '../kit/actions.ts';
import { again, dashboardWith } from '../kit/opened.ts';

const TASKS = '/api/schedule/tasks';
const TRIGGERS = '/api/schedule/triggers';
const NIGHTLY = '30 4 * * *';

/** As cron runs it. */
const task = (dashboard: Dashboard, ...words: string[]) =>
	run(path.resolve('scripts/task'), [words[0]!, '--data', dashboard.dataDir, ...words.slice(1)], {
		env: { PATH: process.env['PATH'] },
		timeoutMs: 60_000,
		okCodes: 'any'
	});
const operations = async (visitor: Visitor): Promise<Operation[]> =>
	(await visitor.json('/api/operations')).body.operations;
const runs = async (visitor: Visitor): Promise<TaskRun[]> =>
	(await visitor.json('/api/schedule/runs')).body.runs;
const logged = async (dashboard: Dashboard): Promise<TaskRun[]> =>
	(await readFile(path.join(path.dirname(dashboard.dataDir), 'logs/tasks.log'), 'utf8'))
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line));

describe.concurrent('what is done by itself', () => {
	test('only a superadmin creates, changes, runs or removes a console command, through whatever door', async () => {
		const dashboard = await dashboardWith();
		const [ada, bob] = [await signedIn(dashboard), await signedIn(dashboard, ADMIN)];
		const command = { type: 'console', command: 'list' };
		const say = { type: 'say', message: 'Hello' };
		const when = { event: 'ready' };
		const made = (await ada.json(TASKS, { ...command, schedule: NIGHTLY })).body.task;
		const theirs = (await bob.json(TASKS, { ...say, schedule: NIGHTLY })).body.task;
		const trigger = (await ada.json(TRIGGERS, { when, do: command })).body.trigger;
		const own = (await bob.json(TRIGGERS, { when, do: say })).body.trigger;
		const before = JSON.stringify([await ada.json(TASKS), await ada.json(TRIGGERS)]);

		for (const [target, body, method] of [
			[TASKS, { ...command, schedule: NIGHTLY }, 'POST'],
			[TASKS, { id: made.id, enabled: false }, 'PATCH'],
			[TASKS, { id: made.id, schedule: '0 5 * * *' }, 'PATCH'],
			[TASKS, { id: theirs.id, ...command }, 'PATCH'],
			[TASKS, { id: made.id }, 'DELETE'],
			[`${TASKS}/run`, { id: made.id }, 'POST'],
			[TRIGGERS, { when, do: command }, 'POST'],
			[`${TRIGGERS}/${trigger.id}`, { enabled: false }, 'PATCH'],
			[`${TRIGGERS}/${own.id}`, { do: command }, 'PATCH'],
			[`${TRIGGERS}/${trigger.id}`, {}, 'DELETE']
		] as const)
			expect([(await bob.json(target, body, method)).status, method, target]).toEqual([
				...[403, method, target]
			]);
		for (const [action, fields] of [
			['?/run', { id: made.id }],
			['?/toggle', { id: made.id, enabled: 'no' }],
			['?/remove', { id: made.id }],
			['?/toggleTrigger', { id: trigger.id, enabled: 'no' }],
			['?/removeTrigger', { id: trigger.id }]
		] as const)
			expect((await bob.form(`/admin/schedule${action}`, fields)).status, action).toBe(403);
		expect(JSON.stringify([await ada.json(TASKS), await ada.json(TRIGGERS)])).toBe(before);

		await power(ada, 'start');
		expect((await ada.json(`${TASKS}/run`, { id: made.id })).body).toMatchObject({ ok: true });
		const changed = await ada.json(TASKS, { id: theirs.id, schedule: '0 5 * * *' }, 'PATCH');
		expect(changed.body.task).toMatchObject({ ...say, schedule: '0 5 * * *' });
	}, 60_000);

	test('a task for one day is done by the dispatcher on that day, and its line goes', async () => {
		const dashboard = await dashboardWith();
		const ada = await signedIn(dashboard);
		await power(ada, 'start');
		const file = path.join(dashboard.dataDir, 'crontab');
		const foreign = '# mine\t\n0 0 1 1 *\ttrue\n';
		await writeFile(file, foreign);
		const today = new Date();
		const [month, date] = [today.getMonth() + 1, today.getDate()];
		const on = [today.getFullYear(), month, date]
			.map((number) => String(number).padStart(2, '0'))
			.join('-');
		const schedule = `59 23 ${date} ${month} *`;
		const body = { type: 'say', message: 'Only today', schedule, on };
		const made = await ada.json(TASKS, body);
		expect(made).toMatchObject({ status: 201, body: { task: { ...body, enabled: true } } });
		expect(made.body.task.human).toMatch(/^Once, on /);
		const { id } = made.body.task;
		for (const wrong of [{ on: '2020-01-01', schedule: '0 4 1 1 *' }, { schedule: NIGHTLY }])
			expect((await ada.json(TASKS, { ...body, ...wrong })).status).toBe(422);

		// By hand, on any day: it stays.
		expect((await ada.json(`${TASKS}/run`, { id })).body).toMatchObject({ ok: true });
		const line = await readFile(file, 'utf8');
		expect(line).toContain(`'--on' '${on}'`);

		const words = ['say', '--id', id, '--message', 'Only today', '--on'];
		expect(await task(dashboard, ...words, '2020-01-01')).toMatchObject({ exitCode: 0 });
		expect(await readFile(file, 'utf8')).toBe(line);
		expect(await task(dashboard, ...words, on)).toMatchObject({ exitCode: 0 });
		expect(await readFile(file, 'utf8')).toBe(foreign);
		expect((await ada.json(TASKS)).body.tasks).toEqual([]);
		const results = (await runs(ada)).map(({ result }) => result);
		expect(results).toEqual(['done', 'skipped', 'done']);
	}, 120_000);

	test('the overview knows of the next task as soon as it is planned, and no more once it is removed', async () => {
		const dashboard = await dashboardWith();
		const bob = await signedIn(dashboard, ADMIN);
		/** Null while the dashboard is still finding out, which a busy machine gives it time for. */
		const next = async () => {
			const page = await (await bob.fetch('/admin')).text();
			const [, words = ''] = /Next task([^]*?)<\/dd>/.exec(page) ?? [];
			return /<a[^>]*>([^<]+)/.exec(words)?.[1] ?? null;
		};
		const known = () => eventually(next, (words) => words !== null);
		expect(await known()).toBe('None planned');
		const { body } = await bob.json(TASKS, { type: 'backup', schedule: NIGHTLY });
		expect(await known()).toBe('Backup');
		await bob.json(TASKS, { id: body.task.id }, 'DELETE');
		expect(await known()).toBe('None planned');
	});

	test('long work is handed to the running dashboard, and done by the dispatcher when that is off', async () => {
		const dashboard = await dashboardWith({ DEMO_BOTS: '0' });
		const ada = await signedIn(dashboard);
		await power(ada, 'start');
		const [first] = await processesIn(dashboard.gameDir);

		expect(await task(dashboard, 'restart', '--whenEmpty', 'only')).toMatchObject({ exitCode: 0 });
		expect((await operations(ada))[0]).toMatchObject({
			...{ kind: 'restart', state: 'succeeded', by: 'schedule' }
		});
		const [second] = await processesIn(dashboard.gameDir);
		expect(second).not.toBe(first);

		const { body } = await ada.json(TASKS, { type: 'stop', schedule: NIGHTLY });
		const answer = await ada.json(`${TASKS}/run`, { id: body.task.id });
		expect(await ended(ada, answer.body.operationId)).toMatchObject({
			...{ kind: 'stop', state: 'succeeded', by: 'ada' }
		});
		await eventually(
			() => runs(ada),
			([newest]) => newest?.type === 'stop' && newest.result === 'done'
		);
		expect(await task(dashboard, 'mods-check')).toMatchObject({ exitCode: 0 });

		await dashboard.kill('SIGKILL');
		for (const [type, count] of [
			['start', 1],
			['stop', 0]
		] as const) {
			expect(await task(dashboard, type), type).toMatchObject({ exitCode: 0 });
			expect(await processesIn(dashboard.gameDir), type).toHaveLength(count);
		}
		expect((await logged(dashboard)).map(({ type, result }) => `${type} ${result}`)).toEqual([
			...['restart done', 'stop done', 'mods-check done'],
			...['start done', 'stop done']
		]);
		const next = await signedIn(await again(dashboard));
		const kinds = (await operations(next)).slice(0, 2).map(({ kind, state }) => `${kind} ${state}`);
		expect(kinds).toEqual(['stop succeeded', 'start succeeded']);
	}, 180_000);

	test('while somebody plays a restart is skipped, or waits and says so; mods are updated as an operation', async () => {
		const dashboard = await dashboardWith({ DEMO_BOTS: '3', DEMO_STAY: 'true' });
		const ada = await signedIn(dashboard);
		await power(ada, 'start');
		await eventually(
			() => status(ada),
			({ players }) => players.online === 3,
			30_000
		);
		const [before] = await processesIn(dashboard.gameDir);
		const runNow = async (body: object) => {
			const made = await ada.json(TASKS, { schedule: NIGHTLY, ...body });
			return (await ada.json(`${TASKS}/run`, { id: made.body.task.id })).body;
		};
		expect(await runNow({ type: 'restart', whenEmpty: 'only' })).toMatchObject({
			...{ ok: true, output: '3 players are online, so the server was not restarted.' }
		});
		const waits = await runNow({ type: 'restart', whenEmpty: 'wait', waitMinutes: 5 });
		expect(waits.output).toContain('3 players are online: it restarts once nobody is playing');
		expect(await processesIn(dashboard.gameDir)).toEqual([before]);

		const { operationId } = await runNow({ type: 'update-mods' });
		expect((await ada.json(`/api/operations/${operationId}`)).body.operation).toMatchObject({
			...{ kind: 'update', by: 'ada' }
		});
		await ada.json(`/api/operations/${operationId}/cancel`, {});
		await ended(ada, operationId, 60_000);
	}, 180_000);

	test('a trigger acts when it happens, is changed and removed, and only for people who still have an account', async () => {
		const dashboard = await dashboardWith();
		const [ada, bob] = [await signedIn(dashboard), await signedIn(dashboard, ADMIN)];
		const add = async (visitor: Visitor, message: string) =>
			(
				await visitor.json(TRIGGERS, {
					...{ when: { event: 'ready' }, do: { type: 'say', message }, minGapSeconds: 10 }
				})
			).body.trigger;
		const [mine, theirs] = [await add(ada, 'Mine'), await add(bob, 'Theirs')];
		const patched = await ada.json(
			`${TRIGGERS}/${mine.id}`,
			{ do: { type: 'say', message: 'Mine, changed' } },
			'PATCH'
		);
		expect(patched.body.trigger.human).toBe('When the server is ready, announce “Mine, changed”');
		await power(ada, 'start');
		const said = () => readFile(path.join(dashboard.gameDir, 'logs/latest.log'), 'utf8');
		await eventually(said, (text) => text.includes('Mine, changed') && text.includes('Theirs'));
		await power(ada, 'stop');
		await dashboard.kill('SIGTERM');

		const next = await again(dashboard, { ADMIN_USERNAME: 'carl' });
		const owner = await signedIn(next);
		const { triggers } = (await owner.json(TRIGGERS)).body;
		expect(triggers.find(({ id }: { id: string }) => id === theirs.id).note).toContain(
			'its creator, bob, no longer has an account'
		);
		await power(owner, 'start');
		const found = await eventually(
			() => runs(owner),
			(all) => all.some(({ id, result }) => id === theirs.id && result === 'skipped')
		);
		expect(found.some(({ id, result }) => id === mine.id && result === 'done')).toBe(true);
		expect((await owner.json(`${TRIGGERS}/${mine.id}`, {}, 'DELETE')).status).toBe(204);
		expect((await owner.json(TRIGGERS)).body.triggers).toHaveLength(1);
	}, 120_000);
});
