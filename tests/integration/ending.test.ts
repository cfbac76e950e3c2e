import { readFile, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Operation, Step } from '#schemas/operation';
import { readSse } from '../fakes/sse-reader.ts';
import { ADMIN, eventually, processesIn, seedDemo, signedIn } from '../harness.ts';
import { begin, ended, power, status } from './kit/actions.ts';
import { home, opened, program } from './kit/opened.ts';
import { install, soundEnv } from './kit/program.ts';

/** What includes stops and starts of the game. */
const SLOW_MS = 60_000;

describe.concurrent('shutting down', () => {
	test('a start interrupted by SIGTERM is resumed by the next dashboard', async () => {
		const dir = await home();
		const env = { ...soundEnv(dir), DEMO_BOOT_MS: '4000' };
		const gameDir = path.join(env.DATA_DIR, 'demo');
		opened.push(() => endGames(gameDir));
		await seedDemo(env.DATA_DIR);
		const first = program(dir, env);
		const bob = await signedIn({ url: (await first.listening)! }, ADMIN);
		const id = await begin(bob, 'start');
		const [pid] = await eventually(
			() => processesIn(gameDir),
			(pids) => pids.length === 1
		);
		first.kill('SIGTERM');
		expect(await first.ended).toEqual({ code: 0, signal: null });
		expect(await processesIn(gameDir)).toEqual([pid]);
		const journal = await readFile(path.join(env.DATA_DIR, 'operations', `${id}.json`), 'utf8');
		expect(JSON.parse(journal).operation.state).toBe('running');

		const visitor = await signedIn({ url: (await program(dir, env).listening)! }, ADMIN);
		const operation = await ended(visitor, id);
		expect(operation).toMatchObject({ cause: null, state: 'succeeded' });
		expect(operation.steps.map((step) => step.status)).toEqual(['done', 'done']);
		expect(await processesIn(gameDir)).toEqual([pid]);
		expect((await status(visitor)).state).toBe('running');
	}, 40_000);

	test(
		'a backup interrupted by SIGTERM leaves nothing half done, and the game saves again',
		async () => {
			const dir = await home();
			const env = { ...soundEnv(dir), DEMO_BOTS: '0' };
			const gameDir = path.join(env.DATA_DIR, 'demo');
			opened.push(() => endGames(gameDir));
			await seedDemo(env.DATA_DIR);
			const first = program(dir, env);
			const ada = await signedIn({ url: (await first.listening)! });
			await power(ada, 'start');
			// Takes no room, and a while to read.
			const large = path.join(gameDir, 'world/large.mca');
			await writeFile(large, '');
			await truncate(large, 3 * 2 ** 30);
			const { id } = (await ada.json('/api/backups', {})).body.operation;
			await eventually(
				async () => (await ada.json(`/api/operations/${id}`)).body.operation as Operation,
				({ steps }) => steps.some(({ id, progress }) => id === 'archive' && progress !== null),
				SLOW_MS
			);
			first.kill('SIGTERM');
			expect(await first.ended).toEqual({ code: 0, signal: null });
			expect(await processesIn(gameDir)).toHaveLength(1);
			expect(await readFile(path.join(gameDir, 'logs/latest.log'), 'utf8')).toMatch(
				/saving is now disabled[^]*saving is now enabled/
			);
			expect(await readdir(env.DATA_DIR)).not.toContain('saving-off.json');
			const half = (names: string[]) => names.filter((name) => /^\.?\d{8}T/.test(name));
			expect(half(await readdir(path.join(env.DATA_DIR, 'backups')))).toEqual([]);

			await rm(large);
			const visitor = await signedIn({ url: (await program(dir, env).listening)! });
			expect(await ended(visitor, id, SLOW_MS)).toMatchObject({ state: 'interrupted' });
			const { body } = await visitor.json('/api/console', { command: 'save-on' });
			expect(body.output).toContain('already turned on');
			expect((await visitor.json('/api/backups')).body.backups).toEqual([]);
		},
		2 * SLOW_MS
	);

	test(
		'a mod update interrupted by SIGTERM is resumed by the next dashboard: all new, or all old',
		async () => {
			const dir = await home();
			const env = { ...soundEnv(dir), DEMO_BOTS: '0', DEMO_SPEED: '30', DEMO_BOOT_MS: '2000' };
			const gameDir = path.join(env.DATA_DIR, 'demo');
			opened.push(() => endGames(gameDir));
			await seedDemo(env.DATA_DIR);
			const jars = async () => (await readdir(path.join(gameDir, 'mods'))).sort();
			const before = await jars();
			const [old, added] = [
				'lantern-keeper-1.4.2.jar',
				['lantern-keeper-1.5.0.jar', 'wick-lib-0.3.1.jar']
			];
			const kept = before.filter((name) => name !== old);
			const first = program(dir, env);
			const bob = await signedIn({ url: (await first.listening)! }, ADMIN);
			await power(bob, 'start');
			const answer = await bob.fetch('/api/mods/update', {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ fileNames: [old] })
			});
			expect(answer.status, answer.ok ? '' : await answer.text()).toBe(200);
			const update = readSse(answer);
			await eventually(
				async () => update.of('step') as Step[],
				(steps) => steps.some(({ id, status }) => id === 'verify' && status === 'running'),
				SLOW_MS
			);
			const [{ id }] = update.of('operation') as [Operation];
			first.kill('SIGTERM');
			expect(await first.ended).toEqual({ code: 0, signal: null });
			await update.done;
			expect(update.of('end')).toEqual([]); // nothing claims that it has ended

			const visitor = await signedIn({ url: (await program(dir, env).listening)! }, ADMIN);
			const { state: outcome } = await ended(visitor, id, SLOW_MS);
			const isNew = outcome === 'succeeded';
			if (!isNew) expect(outcome).toBe('rolled-back');
			expect(await jars()).toEqual(isNew ? [...kept, ...added].sort() : before);
			expect((await status(visitor)).state).toBe('running');
			expect(await processesIn(gameDir)).toHaveLength(1);
		},
		2 * SLOW_MS
	);

	test('`npm start` ends the dashboard when it is told to end, the way systemd does it', async () => {
		const dir = await home();
		await install(dir);
		const env = { ...soundEnv(dir), npm_config_update_notifier: 'false' };
		const started = program(dir, env, { argv: ['npm', '--prefix', dir, 'start'] });
		const url = (await started.listening)!;
		expect((await fetch(`${url}/healthz`)).status).toBe(200);
		started.kill('SIGTERM');
		await started.ended; // whoever held its output has ended
		await expect(fetch(`${url}/healthz`)).rejects.toThrow();
	});

	test('an unhandled rejection or error event is a line in the log, not the end', async () => {
		const dir = await home();
		const trouble =
			"process.on('SIGUSR2', () => {" +
			"Promise.reject(new Error('lost promise'));" +
			"setImmediate(() => { throw new Error('lost throw') });" +
			"process.stdout.emit('error', new Error('lost event')); })";
		const env = {
			...soundEnv(dir),
			NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(trouble)}`
		};
		const started = program(dir, env);
		const url = (await started.listening)!;
		const bob = await signedIn({ url }, ADMIN);
		started.kill('SIGUSR2');
		const log = path.join(env.LOG_DIR, 'craftwarden.log');
		await eventually(
			() => readFile(log, 'utf8'),
			(text) => ['lost promise', 'lost throw', 'lost event'].every((word) => text.includes(word))
		);
		expect((await bob.json('/api/operations')).status).toBe(200);
		started.kill('SIGTERM');
		expect(await started.ended).toEqual({ code: 0, signal: null });
	});
});

async function endGames(dir: string) {
	for (const pid of await processesIn(dir)) process.kill(pid, 'SIGKILL');
}
