import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createGameFolder, type GameFolder } from '../../../../../tests/fakes/game/game-process.ts';
import { soon } from '../../../../../tests/soon.ts';
import { systemClock } from '#core/clock';
import { readEnviron, readStat } from '#core/process';
import { boundOutput } from './console-output.ts';
import { folderId, processesIn } from './proc.ts';
import { createProcessControl, type ProcessControl, type ServerProcess } from './process.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
	for (const undo of cleanUp.splice(0).reverse()) await undo();
});

type Options = {
	command?: string[] | null;
	environment?: NodeJS.ProcessEnv;
	/** What is logged. */
	said?: string[];
};

async function setup(options: Options = {}) {
	const dataDir = await mkdtemp(path.join(tmpdir(), 'craftwarden-data-'));
	cleanUp.push(() => rm(dataDir, { recursive: true, force: true }));
	const game = await createGameFolder();
	cleanUp.push(game.dispose);
	return { dataDir, game, control: dashboard(game, dataDir, options) };
}

/** A second one on the same folders is what a restart of the dashboard makes. */
function dashboard(game: GameFolder, dataDir: string, options: Options = {}): ProcessControl {
	const control = createProcessControl({
		serverDir: game.dir,
		dataDir,
		clock: systemClock,
		command: async () => (options.command === undefined ? game.argv : options.command),
		environment: options.environment ?? process.env,
		log: { warn: (message) => void options.said?.push(message) }
	});
	cleanUp.push(control.close);
	return control;
}

async function byHand(file: string, args: string[], cwd: string): Promise<ChildProcess> {
	const child = spawn(file, args, { cwd, stdio: 'ignore' });
	await once(child, 'spawn');
	cleanUp.push(async () => {
		if (child.exitCode !== null || child.signalCode !== null) return;
		const ended = once(child, 'exit');
		child.kill('SIGKILL');
		await ended;
	});
	return child;
}

const ready = (game: GameFolder) => soon(() => expect(game.log()).toContain('Done ('));
const identity = ({ pid, startTicks, bootId }: ServerProcess) => ({ pid, startTicks, bootId });

test('a launched game has its own session, holds no pipe of ours, and its output is kept', async () => {
	const { control, game } = await setup();
	const process_ = await control.launch({ argv: game.argv, mark: 'first' });
	await ready(game);

	const seen = readStat(process_.pid);
	expect(seen).toMatchObject({ session: process_.pid, group: process_.pid });
	expect(readEnviron(process_.pid)).toContain('CRAFTWARDEN_LAUNCH=first');
	expect(await readFile(control.outputFile, 'utf8')).toContain('The game prints to its console.');
	expect((await stat(control.outputFile)).mode & 0o777).toBe(0o600);
	expect(await control.find()).toEqual(process_);
	expect(control.alive(process_)).toBe(true);
});

test('a game that is being recorded is already known: it can be killed', async () => {
	const { control, game } = await setup();
	expect(await control.find()).toBeNull();
	let launched = false;
	const launching = control.launch({ argv: game.argv, mark: 'm' }).finally(() => (launched = true));
	const folder = folderId(game.dir)!;
	while (processesIn(folder).length === 0) await new Promise((turn) => setImmediate(turn));
	expect(launched).toBe(false);
	expect(await control.find()).toMatchObject({ ours: true });
	await launching;
});

test('the output of the previous run is kept once', async () => {
	const { control, game, dataDir } = await setup();
	for (const mark of ['one', 'two']) {
		const process_ = await control.launch({ argv: game.argv, mark });
		await ready(game);
		control.signal(process_, 'SIGKILL');
		await control.ended(process_);
		await rm(path.join(game.dir, 'logs'), { recursive: true });
	}
	expect(await readFile(path.join(dataDir, 'console/server.1.log'), 'utf8')).toContain('The game');
	expect(await readFile(control.outputFile, 'utf8')).toContain('The game');
});

test('arguments with spaces, quotes and shell characters arrive unchanged', async () => {
	const { control, game } = await setup();
	const argv = [...game.argv, 'a b', '"', "'", ';touch pwned', '$(touch pwned)', ''];
	const { pid } = await control.launch({ argv, mark: 'm' });
	await ready(game);
	const seen = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
	expect(seen.slice(-7, -1)).toEqual(argv.slice(-6));
	await expect(stat(path.join(game.dir, 'pwned'))).rejects.toThrow();
});

test.each([0, 1, 70])('the exit code %i of our own child is reported', async (code) => {
	const { control, game } = await setup();
	await game.script({ exit: { code } });
	const process_ = await control.launch({ argv: game.argv, mark: 'm' });
	await expect(control.ended(process_)).resolves.toEqual({ code, signal: null });
	expect(await control.find()).toBeNull();
});

test('a signal that ended our own child is reported, and reported again later', async () => {
	const { control, game } = await setup();
	const process_ = await control.launch({ argv: game.argv, mark: 'm' });
	expect(control.signal(process_, 'SIGKILL')).toBe(true);
	await expect(control.ended(process_)).resolves.toEqual({ code: null, signal: 'SIGKILL' });
	await expect(control.ended(process_)).resolves.toEqual({ code: null, signal: 'SIGKILL' });
	expect(control.signal(process_, 'SIGKILL')).toBe(false);
	expect(control.alive(process_)).toBe(false);
});

test('waiting for the end can be aborted', async () => {
	const { control, game } = await setup();
	const process_ = await control.launch({ argv: game.argv, mark: 'm' });
	const giveUp = new AbortController();
	const waiting = [
		control.ended(process_, giveUp.signal),
		dashboard(game, path.dirname(path.dirname(control.outputFile))).ended(process_, giveUp.signal)
	];
	giveUp.abort(new Error('enough'));
	for (const wait of waiting) await expect(wait).rejects.toThrow('enough');
});

test.each([
	[
		'java that is not installed',
		['/nowhere/java', '-jar', 'x.jar'],
		/Java was not found.*Install/,
		'java-missing'
	],
	[
		'a program that does not exist',
		['./no-such-start.sh'],
		/no-such-start\.sh was not found.*SERVER_COMMAND/,
		'upstream'
	],
	['a file that may not be executed', ['./game.json'], /may not be executed/, 'upstream'],
	['an argument that no program can get', ['java\0'], /could not be started/, 'upstream']
])('%s is reported in words, and nothing is recorded', async (_, argv, words, code) => {
	const { control, game, dataDir } = await setup();
	await expect(control.launch({ argv, mark: 'm' })).rejects.toMatchObject({
		kind: 'upstream',
		code,
		message: expect.stringMatching(words),
		cause: expect.any(Error)
	});
	expect(await control.find()).toBeNull();
	await expect(stat(path.join(dataDir, 'process.json'))).rejects.toThrow();
	expect(game.starts()).toBe(0);
});

test('a folder that does not exist is reported as such', async () => {
	const { control, game } = await setup();
	await rm(game.dir, { recursive: true });
	await expect(control.launch({ argv: game.argv, mark: 'm' })).rejects.toThrow(
		/folder .* does not exist/
	);
});

test('nothing is started where a game is already running, whoever started it', async () => {
	const { control, game } = await setup();
	await byHand(game.java, ['-jar', 'server.jar'], game.dir);
	await expect(control.launch({ argv: game.argv, mark: 'm' })).rejects.toMatchObject({
		kind: 'conflict'
	});
	await ready(game);
	expect(game.starts()).toBe(1);
});

test('the game is found again after a restart of the dashboard', async () => {
	const { control, game, dataDir } = await setup();
	const process_ = await control.launch({ argv: game.argv, mark: 'm' });
	const again = dashboard(game, dataDir);
	expect(await again.find()).toEqual(process_);
	expect(again.signal(process_, 'SIGTERM')).toBe(true);
	await expect(again.ended(process_)).resolves.toEqual({ code: null, signal: null });
});

test('callers during the search for it get the result, too', async () => {
	const { control, game, dataDir } = await setup();
	const started = await control.launch({ argv: game.argv, mark: 'first' });
	const next = dashboard(game, dataDir);
	expect(await Promise.all([next.find(), next.find(), next.find()])).toEqual([
		started,
		started,
		started
	]);
});

test('without its record the game is found by the marker in its environment, and recorded again', async () => {
	const { control, game, dataDir } = await setup({ command: null });
	// No java by name, no jar: only the mark identifies it.
	const argv = [process.execPath, '-e', 'setInterval(() => {}, 1000)'];
	const process_ = await control.launch({ argv, mark: 'm' });
	cleanUp.push(() => control.signal(process_, 'SIGKILL'));
	await rm(path.join(dataDir, 'process.json'));

	const again = dashboard(game, dataDir, { command: null });
	const found = await again.find();
	expect(found).toMatchObject({ ...identity(process_), ours: true });
	expect(Math.abs(Date.parse(found!.startedAt) - Date.parse(process_.startedAt))).toBeLessThan(
		2000
	);
	expect(JSON.parse(await readFile(path.join(dataDir, 'process.json'), 'utf8'))).toMatchObject(
		identity(process_)
	);
	expect(await dashboard(game, path.join(dataDir, 'other'), { command: null }).find()).toBeNull();
});

test('a kill -9 of the dashboard between spawn and record loses nothing and kills nothing', async () => {
	const { game, dataDir } = await setup();
	const script = `
		import child_process from 'node:child_process';
		import { syncBuiltinESMExports } from 'node:module';
		const spawn = child_process.spawn;
		child_process.spawn = (file, ...rest) => {
			const child = spawn(file, ...rest);
			if (file === 'mkfifo') return child;
			process.kill(process.pid, 'SIGKILL');
		};
		syncBuiltinESMExports();
		const { createProcessControl } = await import(${JSON.stringify(path.resolve('src/lib/server/runtime/process/process.ts'))});
		const { systemClock } = await import(${JSON.stringify(path.resolve('src/lib/server/core/clock.ts'))});
		const [serverDir, dataDir, ...argv] = process.argv.slice(1);
		const command = async () => null;
		const log = { warn() {} };
		await createProcessControl({ serverDir, dataDir, clock: systemClock, command, environment: process.env, log })
			.launch({ argv, mark: 'lost' });
	`;
	const launcher = spawn(
		process.execPath,
		['--input-type=module', '-e', script, game.dir, dataDir, ...game.argv],
		{ stdio: ['ignore', 'ignore', 'inherit'] }
	);
	expect(await once(launcher, 'exit')).toEqual([null, 'SIGKILL']);
	await expect(stat(path.join(dataDir, 'process.json'))).rejects.toThrow();

	await ready(game);
	const again = dashboard(game, dataDir, { command: null });
	const found = await again.find();
	expect(found).toMatchObject({ ours: true });
	expect(readEnviron(found!.pid)).toContain('CRAFTWARDEN_LAUNCH=lost');
	await expect(again.launch({ argv: game.argv, mark: 'second' })).rejects.toMatchObject({
		kind: 'conflict'
	});
	expect(game.starts()).toBe(1);
});

test.each([
	['another start time', { startTicks: 1 }],
	['another boot of the machine', { bootId: 'another' }]
])(
	'a recorded pid that now belongs to a stranger (%s) is not the server and is never signalled',
	async (_, stale) => {
		const { control, game, dataDir } = await setup();
		const stranger = await byHand('sleep', ['600'], game.dir);
		const record = {
			pid: stranger.pid!,
			startTicks: readStat(stranger.pid!)!.startTicks,
			bootId: control.bootId,
			startedAt: new Date().toISOString(),
			argv: game.argv,
			ours: true,
			...stale
		};
		await writeFile(path.join(dataDir, 'process.json'), JSON.stringify(record));
		expect(await control.find()).toBeNull();
		expect(control.alive(record)).toBe(false);
		expect(control.signal(record, 'SIGKILL')).toBe(false);
		await expect(control.ended(record)).resolves.toEqual({ code: null, signal: null });
		expect(stranger.signalCode).toBeNull();
		expect(readStat(stranger.pid!)?.ended).toBe(false);
	}
);

test('a process that matches the record but works in another folder is not the server', async () => {
	const { control, dataDir, game } = await setup();
	const stranger = await byHand('sleep', ['600'], dataDir);
	const record = {
		pid: stranger.pid!,
		startTicks: readStat(stranger.pid!)!.startTicks,
		bootId: control.bootId,
		startedAt: new Date().toISOString(),
		argv: game.argv,
		ours: true
	};
	await writeFile(path.join(dataDir, 'process.json'), JSON.stringify(record));
	expect(await control.find()).toBeNull();
	expect(control.signal(record, 'SIGTERM')).toBe(false);
	expect(readStat(stranger.pid!)?.ended).toBe(false);
});

test.each(['', '{', '[]', '{"pid":-1}', '{"pid":1}', 'null', '\0\0\0'])(
	'a damaged record is as good as none: %j',
	async (text) => {
		const { control, dataDir } = await setup();
		await writeFile(path.join(dataDir, 'process.json'), text);
		expect(await control.find()).toBeNull();
	}
);

test('a server that was started by hand is recognised, and only its own process is signalled', async () => {
	const { control, game } = await setup();
	const child = await byHand(game.java, ['-jar', 'server.jar'], game.dir);
	const found = await control.find();
	expect(found).toMatchObject({ pid: child.pid, ours: false });
	await ready(game);
	expect(control.signal(found!, 'SIGTERM')).toBe(true); // not our group: that one is the test's own
	await expect(control.ended(found!)).resolves.toEqual({ code: null, signal: null });
});

test('other processes working in the folder are not the server', async () => {
	const { control, game } = await setup();
	await byHand('sleep', ['600'], game.dir);
	await byHand('tail', ['-f', '/dev/null', 'server.jar'], game.dir);
	expect(await control.find()).toBeNull();
});

test('a java in another folder is not the server', async () => {
	const { control, game } = await setup();
	await mkdir(path.join(game.dir, 'elsewhere'));
	await writeFile(path.join(game.dir, 'elsewhere/game.json'), '{}');
	await byHand(game.java, ['-jar', 'server.jar'], path.join(game.dir, 'elsewhere'));
	expect(await control.find()).toBeNull();
});

test('a server folder reached through a symlink is the same folder', async () => {
	const { game, dataDir } = await setup();
	const link = path.join(dataDir, 'link');
	const { symlink } = await import('node:fs/promises');
	await symlink(game.dir, link);
	const child = await byHand(game.java, ['-jar', 'server.jar'], game.dir);
	expect(await dashboard({ ...game, dir: link }, dataDir).find()).toMatchObject({ pid: child.pid });
});

test('a start script and its java are one server: both get the signal, and it runs until java has ended', async () => {
	const { control, game } = await setup();
	const script = path.join(game.dir, 'start.sh');
	await writeFile(script, `#!/bin/sh\n${game.java} -jar server.jar\necho done\n`);
	await chmod(script, 0o755);
	await game.script({ stopMs: 300 });
	const shell = await control.launch({ argv: ['./start.sh'], mark: 'm' });
	await ready(game);
	expect(await control.find()).toEqual(shell);

	expect(control.signal(shell, 'SIGTERM')).toBe(true);
	await control.ended(shell);
	const java = await control.find();
	expect(java).toMatchObject({ ours: true });
	expect(java!.pid).not.toBe(shell.pid);
	await control.ended(java!);
	expect(game.log()).toContain('All dimensions are saved');
	expect(await control.find()).toBeNull();
});

test('a dead child that nobody has waited for yet (a zombie) counts as ended', async () => {
	const { control, game } = await setup();
	// A parent that never reaps: its child stays a zombie, in the server's folder.
	await byHand('sh', ['-c', 'sleep 0.05 & echo $! > zombie; exec sleep 600'], game.dir);
	const pid = await soon(async () => {
		const read = Number(await readFile(path.join(game.dir, 'zombie'), 'utf8'));
		expect(readStat(read)?.ended).toBe(true);
		return read;
	});
	const record = {
		pid,
		startTicks: readStat(pid)!.startTicks,
		bootId: control.bootId,
		startedAt: '',
		argv: [],
		ours: true
	};
	expect(control.alive(record)).toBe(false);
	expect(control.signal(record, 'SIGTERM')).toBe(false);
	await expect(control.ended(record)).resolves.toEqual({ code: null, signal: null });
});

test('output beyond the limit is cut, its end kept, and the game continues to write', async () => {
	const { control, game } = await setup();
	const argv = [
		process.execPath,
		'-e',
		`console.log('x'.repeat(700_000)); console.log('the end');
		const wait = setInterval(() => {
			if (!fs.existsSync('go')) return;
			clearInterval(wait);
			console.log('after the cut');
			setInterval(() => {}, 1000);
		}, 20)`
	];
	const process_ = await control.launch({ argv, mark: 'm' });
	cleanUp.push(() => control.signal(process_, 'SIGKILL'));
	const written = 700_000 + '\nthe end\n'.length;
	await soon(async () => expect((await stat(control.outputFile)).size).toBe(written));
	expect(await boundOutput(control.outputFile, 1 << 20)).toBe(false);
	expect(await boundOutput(control.outputFile, 500_000)).toBe(true);
	await writeFile(path.join(game.dir, 'go'), '');
	await soon(async () => {
		const text = await readFile(control.outputFile, 'utf8');
		expect(text).toMatch(
			/^… cut: the output was larger than 500000 bytes\nx+\nthe end\nafter the cut\n$/
		);
	});
	expect((await stat(control.outputFile)).size).toBeLessThan(300_000);
});

test('a disk too full for the record is reported; the running game is found by its marker and not started again', async () => {
	const { control, game, dataDir } = await setup();
	await mkdir(path.join(dataDir, 'process.json')); // the rename onto it fails
	await expect(control.launch({ argv: game.argv, mark: 'm' })).rejects.toMatchObject({
		kind: 'internal'
	});
	await ready(game);
	await rm(path.join(dataDir, 'process.json'), { recursive: true });
	expect(await dashboard(game, dataDir).find()).toMatchObject({ ours: true });
	await expect(control.launch({ argv: game.argv, mark: 'm' })).rejects.toMatchObject({
		kind: 'conflict'
	});
	expect(game.starts()).toBe(1);
});
