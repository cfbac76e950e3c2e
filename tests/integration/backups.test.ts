import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	truncateSync,
	writeFileSync
} from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startDemo, type Demo } from '../../scripts/demo-server/testing/spawn-demo.ts';
import { folderForTest } from '../../scripts/demo-server/testing/testing.ts';
import { systemClock } from '#core/clock';
import { createLock } from '#core/lock';
import { createRcon } from '#minecraft/rcon';
import { createArchiver } from '#storage/archive';
import type { CreateJob, MeasureJob } from '../../src/lib/server/storage/archive/jobs.ts';
import { tempDir } from '../faults/temp.ts';
import {
	setupBackups,
	newGame,
	startGame,
	endGame,
	ADA,
	savingNote
} from '../fakes/archives/backups-setup.ts';

const PROGRAM = path.resolve('src/lib/server/storage/archive/program.ts');
const forkProgram = () =>
	fork(PROGRAM, [], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], detached: true });

/** Bots that play, a clock that runs fast: the server writes all the time. */
const BUSY = { DEMO_BOTS: '6', DEMO_SPEED: '60', DEMO_SAVE_MS: '200' };

/** The demo server as the setup's game: real commands, a real process that ends and starts. */
async function openDemo() {
	const folder = await folderForTest();
	const home = await tempDir();
	await mkdir(path.join(home, 'data'));
	await symlink(folder.dir, path.join(home, 'server'));
	const lock = createLock(path.join(home, 'data/rcon.lock'), systemClock);
	const rcon = createRcon({
		...{ lock, clock: systemClock },
		address: async () => ({ host: '127.0.0.1', port: folder.rconPort, password: folder.password })
	});
	const run = { demo: null as Demo | null };
	const start = async () => {
		run.demo = startDemo(folder, BUSY);
		await run.demo.line(/RCON running on/);
	};
	onTestFinished(async () => {
		await run.demo?.kill();
		rcon.close();
		lock.close();
	});
	return { folder, home, rcon, run, start };
}

const statsIn = (dir: string) => {
	const file = path.join(dir, 'world/stats');
	return existsSync(file) ? file : path.join(dir, 'world/players/stats');
};

test('a backup of the demo server during writes restores, boots, and has the player as they were', async () => {
	const { folder, home, rcon, run, start } = await openDemo();
	await start();
	const game = newGame();
	startGame(game);
	game.answers = new Map(
		['save-off', 'save-all flush', 'save-on'].map((line) => [
			line,
			() => rcon.command(line, { timeoutMs: 30_000 })
		])
	);
	const setup = setupBackups(home, game, { ownProcess: true });
	onTestFinished(() => setup.close());

	await rcon.command('save-all flush', { timeoutMs: 30_000 });
	const players = readdirSync(statsIn(folder.dir)).filter((name) => name.endsWith('.json'));
	const id = await setup.backUp();
	expect(game.commands).toEqual(['save-off', 'save-all flush', 'save-on']);
	expect(await rcon.command('save-on')).toBe('Saving is already turned on');
	expect(run.demo!.output()).toContain('Automatic saving is now disabled');
	expect((await setup.backups.list())[0]).toMatchObject({ state: 'complete', worlds: ['world'] });

	// The archive's contents, listed by a program that is not ours.
	const archive = setup.folder.paths(id).archive;
	const player = players[0]!;
	const name = path.relative(folder.dir, path.join(statsIn(folder.dir), player));
	const then = execFileSync('tar', ['--zstd', '-xOf', archive, name]).toString();
	JSON.parse(then);

	// People keep playing; then the world is lost.
	await rcon.command('stop').catch(() => {});
	await run.demo!.ended;
	endGame(game);
	writeFileSync(path.join(statsIn(folder.dir), player), '{}');
	writeFileSync(path.join(folder.dir, 'world/level.dat'), 'ruined');
	const restored = await setup.finished(setup.backups.restore(id, { scope: 'all' }, ADA));
	expect(restored).toMatchObject({ state: 'succeeded' });
	expect(readFileSync(path.join(statsIn(folder.dir), player), 'utf8')).toBe(then);
	await start();
	expect(run.demo!.output()).toMatch(/Done \(/);
}, 60_000);

test('when the process that paused saving is killed, a running dashboard turns it on within 5 s', async () => {
	const { home, rcon, start } = await openDemo();
	await start();
	expect(await rcon.command('save-off')).toContain('disabled');
	const game = newGame();
	startGame(game);
	game.answers.set('save-on', () => rcon.command('save-on'));
	// The note of a process that is dead by now.
	const holder = {
		pid: 2 ** 22 - 1,
		startTicks: 1,
		bootId: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
	};
	const server = { pid: game.pid, startTicks: 77, bootId: 'boot' };
	writeFileSync(
		path.join(home, 'data/saving-off.json'),
		JSON.stringify({ since: new Date().toISOString(), holder, server })
	);
	const setup = setupBackups(home, game);
	onTestFinished(() => setup.close());
	setup.backups.startWatching();
	await expect.poll(() => savingNote(home), { timeout: 5000, interval: 20 }).toBe(false);
	expect(await rcon.command('save-on')).toBe('Saving is already turned on');
});

test('the archive process ends with the process that requested it, and with its job', async () => {
	const child = forkProgram();
	const ended = once(child, 'exit');
	child.disconnect();
	expect(await ended).toEqual([null, 'SIGKILL']);
});

test('every thread that works on an archive yields to the game', async () => {
	const home = await tempDir();
	mkdirSync(path.join(home, 'world'));
	writeFileSync(path.join(home, 'world/large.bin'), '');
	truncateSync(path.join(home, 'world/large.bin'), 2 ** 36);
	const child = forkProgram();
	const ended = once(child, 'exit');
	const job: CreateJob = {
		kind: 'create',
		...{ serverDir: home, roots: [{ path: 'world', world: 'world' }], never: [] },
		...{ out: path.join(home, 'out'), spill: path.join(home, 'spill') },
		facts: { id: 'x', createdAt: '', gameVersion: null, worlds: [], withMods: false }
	};
	child.send(job);
	await once(child, 'message'); // all of them are at work
	const threads = readdirSync(`/proc/${child.pid}/task`);
	const nice = (thread: string) =>
		Number(
			readFileSync(`/proc/${child.pid}/task/${thread}/stat`, 'utf8').split(') ')[1]!.split(' ')[16]
		);
	expect(threads.length).toBeGreaterThan(3);
	// Of CPU time a tenth; where no class is set, the disk's scheduler follows it.
	expect(Math.min(...threads.map(nice))).toBeGreaterThanOrEqual(10);
	// And so where sessions come before threads; ours is none of its business.
	const group = (pid: number | 'self') => readFileSync(`/proc/${pid}/autogroup`, 'utf8');
	if (existsSync('/proc/self/autogroup')) {
		const before = group('self');
		await expect.poll(() => group(child.pid!)).toMatch(/nice 10$/m);
		expect(group('self')).toBe(before);
	}
	child.disconnect();
	await ended;
});

test('a paused archive process does nothing meanwhile', async () => {
	const home = await tempDir();
	mkdirSync(path.join(home, 'server/world'), { recursive: true });
	const file = path.join(home, 'server/world/large.bin');
	writeFileSync(file, '');
	truncateSync(file, 1 << 30);
	const archiver = createArchiver({ program: PROGRAM, cacheDir: null });
	const giveUp = new AbortController();
	let done = 0;
	const job = archiver.run(
		{
			kind: 'create',
			...{ serverDir: path.join(home, 'server'), roots: [{ path: 'world', world: 'world' }] },
			...{ never: [], out: path.join(home, 'out'), spill: path.join(home, 'spill') },
			facts: {
				id: 'x',
				createdAt: new Date(0).toISOString(),
				gameVersion: null,
				worlds: [],
				withMods: false
			}
		},
		{
			signal: giveUp.signal,
			progress: (bytes) => void (done = bytes),
			begun: ({ rest }) => rest(3_600_000)
		}
	);
	const ended = job.then(
		() => 'ended',
		() => 'given up'
	);
	expect(await Promise.race([ended, systemClock.sleep(1500)])).toBe(undefined);
	expect(done).toBeLessThan(1 << 30);
	giveUp.abort();
	expect(await ended).toBe('given up');
});

test('an archive process that dies is a failure that says so, and nothing hangs', async () => {
	const home = await tempDir();
	const script = path.join(home, 'dies.mjs');
	for (const [body, words] of [
		['process.once("message", () => process.kill(process.pid, "SIGKILL"))', /SIGKILL/],
		['console.error("trouble"); process.once("message", () => process.exit(0))', /code 0/],
		['throw new Error("no such thing")', /code 1/]
	] as const) {
		writeFileSync(script, body);
		const archiver = createArchiver({ program: script, cacheDir: null });
		const job: MeasureJob = { kind: 'measure', serverDir: home, roots: [], never: [] };
		await expect(archiver.run(job)).rejects.toThrow(words);
		archiver.close();
	}
	const archiver = createArchiver({ program: path.join(home, 'missing.ts'), cacheDir: null });
	await expect(
		archiver.run({ kind: 'measure', serverDir: home, roots: [], never: [] })
	).rejects.toMatchObject({ kind: 'upstream' });
});
