import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { modJar } from '../../scripts/demo-server/seed/seed-mods.ts';
import {
	eventually,
	processesIn,
	seedDemo,
	signedIn,
	startDashboard,
	type Visitor
} from '../harness.ts';
import { begin, ended, power, reaches, status } from './kit/actions.ts';
import { startUserSystemd, systemdMissing } from './kit/user-systemd.ts';

const LIMIT_MS = 600_000;
const KEEPER = path.resolve('scripts/keeper');
const GAME = [process.execPath, path.resolve('scripts/demo-server/main.ts')];
/** Private managers share the machine's control groups, where units are told apart by their names. */
const UNIT = `minecraft-${process.pid}.service`;

type Engine = { env: Record<string, string>; restarts: boolean; close?: () => Promise<unknown> };
type Places = { home: string; gameDir: string };

/** The keeper as a container runs it. */
async function keeper({ home, gameDir }: Places): Promise<Engine> {
	const dir = path.join(home, 'talk');
	await mkdir(dir);
	await writeFile(path.join(dir, 'want'), 'stop');
	const env = { PATH: process.env['PATH']!, KEEPER_DIR: dir, DEMO_SPEED: '10' };
	const child = spawn('sh', [KEEPER, ...GAME], { cwd: gameDir, env, stdio: 'ignore' });
	onTestFinished(async () => {
		if (child.exitCode !== null || child.signalCode !== null) return;
		child.kill('SIGKILL');
		await once(child, 'exit');
	});
	return { env: { RUNTIME: 'keeper', KEEPER_DIR: dir }, restarts: false };
}

/** A unit of a private `systemd --user`. */
const unit =
	(Restart: 'always' | 'no') =>
	async ({ gameDir }: Places): Promise<Engine> => {
		const systemd = await startUserSystemd();
		onTestFinished(systemd.close);
		await systemd.unit(UNIT, {
			...{ ExecStart: GAME.join(' '), WorkingDirectory: gameDir, Restart },
			...{ Environment: 'DEMO_SPEED=10', RestartSec: '1s', TimeoutStopSec: '5min' },
			StartLimitBurst: '50'
		});
		const { XDG_RUNTIME_DIR, XDG_CONFIG_HOME } = systemd.environment;
		return {
			env: {
				...{ RUNTIME: 'systemd', SYSTEMD_UNIT: UNIT, SYSTEMD_SCOPE: 'user' },
				...{ XDG_RUNTIME_DIR, XDG_CONFIG_HOME }
			},
			restarts: Restart === 'always'
		};
	};

async function open(engineOf: (places: Places) => Promise<Engine>) {
	const home = await mkdtemp(path.join(tmpdir(), 'craftwarden-engine-'));
	onTestFinished(() => rm(home, { recursive: true, force: true, maxRetries: 9, retryDelay: 50 }));
	const dataDir = path.join(home, 'data');
	const gameDir = path.join(dataDir, 'demo');
	await seedDemo(dataDir);
	const engine = await engineOf({ home, gameDir });
	const env = {
		...{ DATA_DIR: dataDir, SERVER_DIR: gameDir, SCHEDULER: 'embedded' },
		...{ MODRINTH_URL: 'http://127.0.0.1:9', ...engine.env }
	};
	const dashboard = await startDashboard({ env, home });
	onTestFinished(dashboard.dispose);
	return { engine, dashboard, gameDir, ada: await signedIn(dashboard) };
}

/** Uploads a mod, and waits for the result. */
async function uploadMod(ada: Visitor, id: string, fault?: 'die') {
	const jar = modJar({ id, version: '1', name: id, description: '', ...(fault && { fault }) });
	const form = new FormData();
	form.set('jar', new File([new Uint8Array(jar)], `${id}.jar`));
	const answer = await ada.fetch('/api/mods/upload', { method: 'POST', body: form });
	expect(answer.status).toBe(202);
	const { operation } = (await answer.json()) as { operation: { id: string } };
	return ended(ada, operation.id, 180_000);
}

const mods = async (gameDir: string) => (await readdir(path.join(gameDir, 'mods'))).sort();
/** The keeper itself has the game's command among its arguments. */
async function games(gameDir: string): Promise<number[]> {
	const pids = await processesIn(gameDir);
	const programs = await Promise.all(
		pids.map((pid) => readlink(`/proc/${pid}/exe`).catch(() => ''))
	);
	return pids.filter((_, i) => programs[i] === process.execPath);
}

const missing = systemdMissing();
const engines: [string, string | null, Parameters<typeof open>[0]][] = [
	['the keeper', null, keeper],
	['a systemd unit that restarts it', missing, unit('always')],
	['a systemd unit that leaves that to us', missing, unit('no')]
];

describe.each(engines)('over %s', { timeout: LIMIT_MS }, (_, without, engineOf) => {
	// Takes minutes: `npm run test:faults` runs it; the truth table and each engine's own tests always run.
	const whole = process.env['FAULTS'] === 'all';
	test.skipIf(without || !whole)('everything works as it does for a process', async () => {
		const { engine, dashboard, gameDir, ada } = await open(engineOf);
		await reaches(ada, 'stopped');
		expect(await power(ada, 'start')).toMatchObject({ state: 'succeeded', cause: null });
		await reaches(ada, 'running');
		expect(await games(gameDir)).toHaveLength(1);

		// Its console, by RCON.
		const answer = await ada.json('/api/console', { command: 'list' });
		expect(answer).toMatchObject({ status: 200 });

		// A good change stays, a bad one is rolled back; nothing else starts it meanwhile.
		const before = await mods(gameDir);
		expect(await uploadMod(ada, 'gentle')).toMatchObject({ state: 'succeeded', cause: null });
		expect(await mods(gameDir)).toEqual([...before, 'gentle.jar'].sort());
		expect((await stat(path.join(gameDir, 'mods/gentle.jar'))).uid).toBe(process.getuid!());
		const bad = await uploadMod(ada, 'deadly', 'die');
		expect(bad, bad.cause?.message).toMatchObject({ state: 'rolled-back' });
		expect(await mods(gameDir)).toEqual([...before, 'gentle.jar'].sort());
		await reaches(ada, 'running');
		expect(await games(gameDir)).toHaveLength(1);

		// A backup, with saving paused and resumed.
		const backup = await ada.json('/api/backups', { note: '' });
		expect(backup.status).toBe(202);
		expect(await ended(ada, backup.body.operation.id, 60_000)).toMatchObject({
			state: 'succeeded',
			cause: null
		});
		expect(await readFile(path.join(gameDir, 'logs/latest.log'), 'utf8')).toMatch(
			/Automatic saving is now disabled[^]+Automatic saving is now enabled/
		);

		// The dashboard goes and comes back; the game keeps running.
		const { startedAt } = await status(ada);
		await dashboard.kill('SIGKILL');
		const next = await dashboard.again();
		onTestFinished(next.dispose);
		const eve = await signedIn(next);
		await reaches(eve, 'running');
		expect((await status(eve)).startedAt).toBe(startedAt);

		// A second dashboard is refused, whatever its own folder.
		const other = await mkdtemp(path.join(tmpdir(), 'craftwarden-second-'));
		onTestFinished(() => rm(other, { recursive: true, force: true }));
		await expect(
			startDashboard({ env: { SERVER_DIR: gameDir, DATA_DIR: other }, home: other })
		).rejects.toThrow(/SERVER_DIR: another Craftwarden already looks after/);

		const settings = await eve.json('/api/settings', { autoRestart: true }, 'PATCH');
		expect(settings.status).toBe(200);
		// It crashes: one of the two restarts it, never both.
		const [pid] = await games(gameDir);
		process.kill(pid!, 'SIGKILL');
		await eventually(
			() => status(eve),
			(now) => now.state === 'running' && now.startedAt !== startedAt,
			60_000
		);
		expect(await games(gameDir)).toHaveLength(1);
		// Why, in words that come of the engine's own exit.
		const page = await (await eve.fetch('/admin')).text();
		expect(page).toContain('The server was killed from outside');
		const starts = await eve.json('/api/audit');
		expect(starts.status).toBe(200);
		const ours = starts.body.entries.filter(
			({ by, action }: { by: string; action: string }) =>
				by === 'dashboard' && action === 'server.start'
		);
		expect(ours).toHaveLength(engine.restarts ? 0 : 1);

		// A stop with a countdown, and a kill.
		const id = await begin(eve, 'stop', { delaySeconds: 2, message: 'Bye.' });
		expect(await ended(eve, id, 60_000)).toMatchObject({ state: 'succeeded', cause: null });
		await reaches(eve, 'stopped');
		expect(await games(gameDir)).toEqual([]);
		expect(await power(eve, 'start')).toMatchObject({ state: 'succeeded' });
		expect((await eve.json('/api/server/kill', {})).status).toBe(200);
		await reaches(eve, 'stopped');
		expect(await games(gameDir)).toEqual([]);
	});
});
