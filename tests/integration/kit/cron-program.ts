import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '#core/clock';
import { run } from '#core/exec';
import { createLock } from '#core/lock';
import { createSchedules, commandBuilder } from '#services/schedule';
import { createUserCrontab } from '#storage/crontab';
import { eventually, signedIn, startDashboard } from '../../harness.ts';

/**
 * Run in a mount namespace of its own, where cron's spool is empty: a real cron daemon, the real `crontab` command, a
 * running game and the real dispatcher. Prints what came of it as JSON.
 */
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const FOREIGN = '# mine\t\n0 0 1 1 *\ttrue\n';
/** Two full minutes, in which cron looks at its tables, and a lot for a busy machine. */
const LIMIT_MS = 240_000;
const START_LIMIT_MS = 120_000;

const cron = spawn('cron', ['-f'], { stdio: 'ignore' });
const dashboard = await startDashboard();
const by = { name: 'ada', role: 'superadmin' as const, address: null };
const table = createUserCrontab({ run, environment: process.env, dir: dashboard.dataDir });
const lock = createLock(path.join(dashboard.dataDir, 'crontab.lock'), systemClock);
try {
	const visitor = await signedIn(dashboard);
	await visitor.json('/api/server/start', {});
	const state = async () => (await visitor.json('/api/status')).body.state;
	await eventually(state, (now) => now === 'running', START_LIMIT_MS);
	await table.write(FOREIGN, await table.read());
	const build = commandBuilder(path.join(ROOT, 'scripts/task'), dashboard.dataDir);
	const schedule = createSchedules({
		scheduler: 'crontab',
		table,
		build,
		lock,
		daemonProblem: async () => null,
		history: async () => [],
		execute: run,
		runner: { runHere: async () => ({ operationId: '' }), waiting: () => [], callOff: () => null },
		environment: {},
		audit: async () => {},
		clock: systemClock
	});
	const every = { schedule: '* * * * *' };
	const tasks = [
		await schedule.add({ ...every, type: 'say', message: '100% sure, $(id) #1' }, by),
		await schedule.add({ ...every, type: 'say', message: '-x (50%)' }, by),
		await schedule.add({ ...every, type: 'backup' }, by),
		await schedule.add({ ...every, type: 'snapshot-prune', keep: 3 }, by),
		await schedule.add({ ...every, type: 'say', message: 'never to be said' }, by)
	];
	await schedule.change({ id: tasks.at(-1)!.id, enabled: false }, by);
	const file = path.join(path.dirname(dashboard.dataDir), 'logs', 'tasks.log');
	const runs = async () =>
		(await readFile(file, 'utf8').catch(() => ''))
			.split('\n')
			.filter(Boolean)
			.map((line) => JSON.parse(line) as { type: string; result: string; detail: string });
	const types = ['say', 'backup', 'snapshot-prune'];
	const done = await eventually(
		runs,
		(all) =>
			types.every((type) => all.some((one) => one.type === type)) &&
			all.some(({ detail }) => detail.includes('-x')),
		LIMIT_MS
	);
	// What cron would mail.
	const asCron = { env: { PATH: '/usr/bin:/bin' }, cwd: '/', okCodes: 'any' as const };
	const printed = [];
	for (const task of tasks.slice(0, -1)) {
		const { stdout, stderr } = await run('/bin/sh', ['-c', build(task)], asCron);
		printed.push(stdout + stderr);
	}
	const waitedFor = await schedule.run(tasks[0]!.id, by);
	for (const { id } of tasks) await schedule.remove(id, by);
	const log = await readFile(path.join(dashboard.gameDir, 'logs/latest.log'), 'utf8');
	const { backups } = (await visitor.json('/api/backups')).body;
	console.log(
		JSON.stringify({
			runs: Object.fromEntries(types.map((type) => [type, done.find((one) => one.type === type)])),
			said: log.includes('100% sure, $(id) #1') && log.includes('-x (50%)'),
			never: log.includes('never to be said'),
			// There may be two of them when more than a minute went by.
			backups: [
				...new Set(backups.map(({ kind, state }: Record<string, string>) => `${kind} ${state}`))
			],
			printed,
			output: 'output' in waitedFor ? waitedFor.output : null,
			foreign: (await table.read()) === FOREIGN
		})
	);
} finally {
	lock.close();
	await dashboard.dispose();
	cron.kill('SIGKILL');
}
