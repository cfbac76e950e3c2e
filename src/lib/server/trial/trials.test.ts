import { spawn, spawnSync } from 'node:child_process';
import {
	mkdir,
	mkdtemp,
	readdir,
	readFile,
	realpath,
	rm,
	stat,
	truncate,
	writeFile
} from 'node:fs/promises';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '#core/clock';
import { AppError } from '#core/errors';
import { bootId, processId } from '#core/process';
import { readStat } from '#core/process';
import {
	fakeJar,
	makeJava,
	type FakeMod
} from '../../../../tests/fakes/game/java-that-reads-mods.ts';
import { findOut } from './can.ts';
import { createTrials, type TrialsDeps } from './trials.ts';

const sandbox = findOut();
const hasSandbox = (await sandbox).problem === null;

const FLOOD_MB = process.env.FAULTS === 'all' ? 1024 : 40;
const none = new AbortController().signal;
const rooms: string[] = [];
afterEach(async () => {
	for (const dir of rooms.splice(0)) await rm(dir, { recursive: true, force: true });
});

async function setup(more: Partial<TrialsDeps> = {}, home?: string) {
	const base = home ?? (await realpath(await mkdtemp(path.join(os.tmpdir(), 'trial-'))));
	rooms.push(base);
	const [serverDir, dataDir] = [path.join(base, 'server'), path.join(base, 'data')];
	const jars = path.join(base, 'server', 'mods');
	await mkdir(path.join(serverDir, 'world'), { recursive: true });
	await mkdir(path.join(serverDir, 'config', 'deep'), { recursive: true });
	await mkdir(path.join(serverDir, 'libraries'));
	await mkdir(jars);
	await writeFile(path.join(serverDir, 'world', 'level.dat'), 'the live world');
	await writeFile(path.join(serverDir, 'libraries', 'lib.jar'), 'lib');
	await writeFile(path.join(serverDir, 'config', 'deep', 'a.toml'), 'a = 1\n');
	await writeFile(path.join(serverDir, 'server.jar'), 'jar');
	await writeFile(
		path.join(serverDir, 'server.properties'),
		'# mine\nserver-port=25565\nenable-rcon=true\nrcon.password=hunter2hunter2\nmotd=Hello\n'
	);
	const java = await makeJava(base);
	const lines: string[] = [];
	const good: number[] = [];
	const deps: TrialsDeps = {
		...{ serverDir, dataDir, clock: systemClock, trusted: false, environment: {} },
		mask: async (found) => (text) =>
			['hunter2hunter2', ...found].reduce((masked, one) => masked.replaceAll(one, '•••'), text),
		hidden: { dirs: [], files: [] },
		installation: async () => ({
			command: [java, '-Xmx32M', '-jar', 'server.jar', 'nogui'],
			worldDir: path.join(serverDir, 'world'),
			supported: true
		}),
		liveBytes: async () => null,
		history: { read: async () => good, add: async (ms) => void good.push(ms) },
		limits: { maxMs: 30_000, minMs: 10_000, holdMs: 500 },
		// At the lowest priority, beside other tests, it would take minutes.
		can: async () => ({ ...(await sandbox), gently: [] }),
		log: { info() {}, warn() {}, error: (message) => void lines.push(`ERROR ${message}`) },
		...more
	};
	const trials = createTrials(deps);
	const boot = async (...mods: FakeMod[]) => {
		const set = await Promise.all(
			mods.map(async (mod) => {
				const file = path.join(jars, `${mod.id}.jar`);
				await writeFile(file, fakeJar(mod));
				return { fileName: `${mod.id}.jar`, path: file };
			})
		);
		return trials.boot(set, { signal: none, tell: (line) => void lines.push(line) });
	};
	const left = () => readdir(path.join(dataDir, 'trials'));
	return {
		base,
		serverDir,
		dataDir,
		java,
		lines,
		good,
		trials,
		boot,
		left,
		text: () => lines.join('\n')
	};
}

describe.skipIf(!hasSandbox)('boots in a sandbox (bubblewrap)', () => {
	test('a good set becomes ready, stays up, is stopped, and leaves nothing behind', async () => {
		const { boot, left, good, serverDir } = await setup();
		const before = await stat(path.join(serverDir, 'server.jar'));
		await expect(boot({ id: 'a' })).resolves.toMatchObject({ verdict: 'good', cause: null });
		expect(good).toHaveLength(1);
		expect(await left()).toEqual([]);
		const after = await stat(path.join(serverDir, 'server.jar'));
		expect([after.ctimeMs, after.nlink]).toEqual([before.ctimeMs, 1]);
		expect(await readdir(path.join(serverDir, 'world'))).toEqual(['level.dat']);
	});

	test('a crash is bad, with the same fingerprint for the same failure and another for another', async () => {
		const { boot } = await setup();
		const [once, again, other] = [
			await boot({ id: 'a', does: 'crash' }, { id: 'b' }),
			await boot({ id: 'a', does: 'crash' }),
			await boot({ id: 'a' }, { id: 'c', does: 'crash' }).then(async () =>
				boot({ id: 'c', does: 'crash' })
			)
		];
		expect(once).toMatchObject({ verdict: 'bad' });
		expect(once.fingerprint).toBe(again.fingerprint);
		expect(other.fingerprint).not.toBe(once.fingerprint);
	});

	test('one that claims to be ready and dies is bad', async () => {
		const { boot } = await setup();
		await expect(boot({ id: 'a', does: 'claim' })).resolves.toMatchObject({ verdict: 'bad' });
	});

	test('one that never becomes ready is ended in time, with everything it has started', async () => {
		const { boot, left } = await setup({ limits: { maxMs: 1500, minMs: 500, holdMs: 100 } });
		await expect(boot({ id: 'a', does: 'hang' })).resolves.toMatchObject({
			verdict: 'bad',
			fingerprint: 'timeout'
		});
		const mark = `daemon-${process.pid}`;
		await expect(boot({ id: 'a', does: 'daemon', target: mark })).resolves.toMatchObject({
			verdict: 'bad'
		});
		expect(spawnSync('pgrep', ['-f', mark]).stdout.toString().trim()).toBe('');
		expect(await left()).toEqual([]);
	});

	test('one that fills its folder is ended and cleaned up', async () => {
		const { boot, left } = await setup({ growthMaxBytes: 20 << 20 });
		await expect(boot({ id: 'a', does: 'fill' })).resolves.toMatchObject({
			verdict: 'bad',
			fingerprint: 'filled'
		});
		expect(await left()).toEqual([]);
	});

	test(`a flood of output (${FLOOD_MB} MB) costs neither memory nor the verdict`, async () => {
		const { boot, lines } = await setup();
		const before = process.memoryUsage.rss();
		await expect(boot({ id: 'a', does: 'print', target: `${FLOOD_MB}` })).resolves.toMatchObject({
			verdict: 'good'
		});
		expect(lines.length).toBeLessThan(5000);
		expect(process.memoryUsage.rss() - before).toBeLessThan(300 << 20);
	}, 120_000);

	test('ten thousand open files and a port of the live server affect nobody else', async () => {
		const { boot, left, text } = await setup();
		const live = createServer((socket) => socket.end('the live server')).listen(0, '127.0.0.1');
		await once(live, 'listening');
		const { port } = live.address() as { port: number };
		await expect(
			boot(
				{ id: 'a', does: 'open', target: '10000' },
				{ id: 'b', does: 'listen', target: `${port}` }
			)
		).resolves.toMatchObject({ verdict: 'good' });
		expect(text()).toMatch(/(?:REACHED|refused) 10000 files/);
		const [answer] = await once(connect(port, '127.0.0.1'), 'data');
		expect(String(answer)).toBe('the live server');
		live.close();
		expect(await left()).toEqual([]);
	});

	test('a boot that was killed from outside, or found no port, says nothing about its set', async () => {
		const { boot } = await setup();
		await expect(boot({ id: 'a', does: 'killed' })).resolves.toMatchObject({
			verdict: 'indeterminate',
			cause: { message: expect.stringMatching(/killed from outside/) }
		});
		await expect(boot({ id: 'a', does: 'port' })).resolves.toMatchObject({
			verdict: 'indeterminate',
			cause: { message: expect.stringMatching(/already in use/) }
		});
	});

	test('nothing outside the copy is written, read or reached', async () => {
		const { boot, base, serverDir, dataDir, text } = await setup();
		const live = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
		await once(live, 'listening');
		const { port } = live.address() as { port: number };
		await mkdir(dataDir, { recursive: true });
		await writeFile(path.join(dataDir, 'settings.json'), '{}');
		const verdict = await boot(
			{ id: 'a', does: 'write', target: path.join(serverDir, 'world', 'level.dat') },
			{ id: 'b', does: 'write', target: '../outside' },
			{ id: 'c', does: 'read', target: path.join(serverDir, 'world', 'level.dat') },
			{ id: 'd', does: 'read', target: path.join(dataDir, 'settings.json') },
			{ id: 'e', does: 'connect', target: String(port) },
			{ id: 'f', does: 'touch-jar' },
			{ id: 'g', does: 'write', target: '/etc/craftwarden-trial' },
			{ id: 'h', does: 'list', target: '/root' }
		);
		live.close();
		expect(verdict.verdict).toBe('good');
		// Around the copy lies the sandbox's own `/tmp` here.
		expect(text()).not.toMatch(/REACHED (?!write \.\.\/outside)/);
		expect(text()).toMatch(/refused network/);
		expect(text()).toContain('LIST /root: \n');
		expect(await readFile(path.join(serverDir, 'world', 'level.dat'), 'utf8')).toBe(
			'the live world'
		);
		expect((await readdir(base)).sort()).toEqual(['data', 'jdk', 'server']);
	});

	test('our own files are not copied, even from deep inside the folder of the server', async () => {
		const home = await realpath(await mkdtemp(path.join(os.tmpdir(), 'trial-ours-')));
		rooms.push(home);
		const { boot, serverDir, text } = await setup(
			{
				hidden: {
					dirs: [path.join(home, 'server/panel/backups')],
					files: [path.join(home, 'server/panel/.env')]
				}
			},
			home
		);
		await mkdir(path.join(serverDir, 'panel', 'backups'), { recursive: true });
		for (const name of ['.env', 'readme.txt', 'backups/one.zip'])
			await writeFile(path.join(serverDir, 'panel', name), 'AUTH_SECRET=never-to-be-seen');
		await boot({ id: 'a', does: 'list', target: 'panel' });
		expect(text()).toContain('LIST panel: readme.txt\n');
	});

	test('neither our environment nor the secrets of the live server reach it', async () => {
		process.env['AUTH_SECRET'] = 'never-to-be-seen';
		const { boot, text } = await setup();
		await boot({ id: 'a', does: 'read', target: 'nothing' }).finally(
			() => delete process.env['AUTH_SECRET']
		);
		expect(text()).toContain('ENV {');
		expect(text()).not.toContain('never-to-be-seen');
		expect(text()).not.toContain('hunter2');
	});

	test('secrets of its configuration that a mod prints are shown nowhere', async () => {
		const { boot, text, serverDir } = await setup();
		await writeFile(path.join(serverDir, 'config', 'bot.json'), '{"botToken": "abc-DEF-123"}');
		const verdict = await boot({ id: 'a', does: 'leak', target: 'config/bot.json' });
		expect(verdict).toMatchObject({ verdict: 'bad', cause: { log: expect.anything() } });
		expect(text()).toContain('•••');
		expect(text() + JSON.stringify(verdict)).not.toContain('abc-DEF-123');
	});

	test('a link out of the copy is not followed when its log is read', async () => {
		const { boot, base } = await setup();
		await mkdir(path.join(base, 'secret'));
		await writeFile(path.join(base, 'secret', 'latest.log'), 'java.lang.Secret0Exception: told\n');
		const verdict = await boot(
			{ id: 'a', does: 'link', target: path.join(base, 'secret') },
			{ id: 'b', does: 'exit' }
		);
		expect(verdict.verdict).toBe('bad');
		expect(JSON.stringify(verdict)).not.toContain('Secret0');
	});

	test('an abort ends it at once and cleans up', async () => {
		const { trials, left, lines, serverDir } = await setup();
		const file = path.join(serverDir, 'mods', 'a.jar');
		await writeFile(file, fakeJar({ id: 'a', does: 'hang' }));
		const stop = new AbortController();
		const booting = trials.boot([{ fileName: 'a.jar', path: file }], {
			signal: stop.signal,
			tell: (line) => {
				lines.push(line);
				stop.abort(new Error('enough'));
			}
		});
		await expect(booting).rejects.toThrow('enough');
		expect(await left()).toEqual([]);
	});
});

test('the limit is three times the usual time, within bounds, and never less than the usual time', async () => {
	const limits = { maxMs: 30_000, minMs: 10_000, holdMs: 500 };
	const times = async (...readyMs: number[]) => {
		const history = { read: async () => readyMs, add: async () => {} };
		return (await setup({ limits, history })).trials.times();
	};
	expect(await times()).toEqual({ usualMs: null, limitMs: 30_000, holdMs: 500, wholeMs: 30_500 });
	expect(await times(1000, 6000, 7000)).toEqual({
		usualMs: 6000,
		limitMs: 18_000,
		holdMs: 500,
		wholeMs: 6500
	});
	expect(await times(1000)).toMatchObject({ limitMs: 10_000 });
	expect(await times(45_000, 46_000, 9000)).toMatchObject({ usualMs: 9000, limitMs: 27_000 });
});

test('leftovers of a killed dashboard are ended and removed', async () => {
	const { trials, dataDir, left } = await setup();
	const dir = path.join(dataDir, 'trials', 'old');
	await mkdir(path.join(dir, 'server', 'closed'), { recursive: true });
	await writeFile(path.join(dir, 'process'), 'some-other-boot 1 1');
	await trials.sweep();
	expect(await left()).toEqual([]);
});

test('a game that a killed dashboard left running is ended before its copy is removed', async () => {
	const { trials, dataDir, left } = await setup();
	const dir = path.join(dataDir, 'trials', 'old');
	await mkdir(dir, { recursive: true });
	const game = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true });
	await once(game, 'spawn');
	const { startTicks } = readStat(game.pid!)!;
	const id = processId({ bootId: bootId(), pid: game.pid!, startTicks });
	await writeFile(path.join(dir, 'process'), id);
	const ended = once(game, 'exit');
	await trials.sweep();
	expect((await ended)[1]).toBe('SIGKILL');
	expect(await left()).toEqual([]);
});

test('a game whose dashboard was killed before it wrote down the process is ended too, and nobody else', async () => {
	const { trials, dataDir, left } = await setup();
	const dir = path.join(dataDir, 'trials', 'old', 'server');
	await mkdir(dir, { recursive: true });
	const run = (cwd: string, HOME: string) =>
		spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
			...{ cwd, detached: true, stdio: 'ignore' },
			env: { HOME }
		});
	const game = run('/', dir);
	// Somebody looks around in there.
	const visitor = run(dir, os.homedir());
	await Promise.all([once(game, 'spawn'), once(visitor, 'spawn')]);
	const ended = once(game, 'exit');
	try {
		await trials.sweep();
		expect((await ended)[1]).toBe('SIGKILL');
		expect(visitor.exitCode ?? visitor.signalCode).toBeNull();
		expect(await left()).toEqual([]);
	} finally {
		game.kill('SIGKILL');
		visitor.kill('SIGKILL');
	}
});

test('too little space is reported before anything is done', async () => {
	const { trials, boot, left, serverDir } = await setup({ trusted: true });
	const huge = path.join(serverDir, 'config', 'huge.bin');
	await writeFile(huge, '');
	// It takes no room by itself.
	await truncate(huge, 8 * 2 ** 40);
	const words = /^There is not enough room for a trial boot: it needs/;
	expect(await trials.problem()).toMatch(words);
	await expect(boot({ id: 'a' })).rejects.toThrow(words);
	expect(await left()).toEqual([]);
});

test('without a sandbox nothing is booted, and the plan is told why', async () => {
	const { trials, boot } = await setup({
		can: async () => ({ problem: 'There is no sandbox.', gently: [] })
	});
	await expect(trials.problem()).resolves.toBe('There is no sandbox.');
	await expect(boot({ id: 'a' })).rejects.toThrow('There is no sandbox.');
});

test('our own jars are booted without one, but still on a copy', async () => {
	const { boot, left, trials } = await setup({
		trusted: true,
		can: async () => ({ problem: 'There is no sandbox.', gently: [] })
	});
	await expect(boot({ id: 'a' })).resolves.toMatchObject({ verdict: 'good' });
	await expect(boot({ id: 'a', does: 'crash' })).resolves.toMatchObject({ verdict: 'bad' });
	expect(await trials.note()).toMatch(/demo/);
	expect(await left()).toEqual([]);
});

test.each<[string, Partial<TrialsDeps>, RegExp]>([
	['free memory', { freeMemory: () => null }, /memory .* cannot be read/],
	[
		'the memory that the server itself uses',
		{ liveBytes: async () => 'unknown', freeMemory: () => 2 ** 30 + 40 * 2 ** 20 },
		/There is not enough memory/
	],
	[
		'whether the sandbox works',
		{
			can: async () => {
				throw new AppError('conflict', 'Trial boots are not possible at the moment: too much.');
			}
		},
		/are not possible at the moment/
	]
])('nothing is booted while this is unknown: %s', async (_, more, words) => {
	const { trials, boot, left } = await setup({ trusted: true, ...more });
	expect(await trials.problem()).toMatch(words);
	await expect(boot({ id: 'a' })).rejects.toMatchObject({ kind: 'conflict', message: words });
	expect(await left().catch(() => [])).toEqual([]);
});

test.each([
	['EMFILE', 'too many files open'],
	['EAGAIN', 'any more processes']
])('a copy that cannot be made at the moment (%s) says so, and is removed', async (code, words) => {
	const { boot, left } = await setup({
		trusted: true,
		async mask() {
			throw Object.assign(new Error(code), { code });
		}
	});
	const message = expect.stringContaining(words);
	await expect(boot({ id: 'a' })).rejects.toMatchObject({ kind: 'conflict', message });
	expect(await left()).toEqual([]);
});

test('running out of memory halfway ends the boot, which proves nothing', async () => {
	let free = 2 ** 40;
	const { boot, left } = await setup({
		...{ trusted: true, can: async () => ({ problem: 'There is no sandbox.', gently: [] }) },
		freeMemory: () => free,
		mask: async () => (text) => {
			free = 1;
			return text;
		}
	});
	await expect(boot({ id: 'a', does: 'hang' })).resolves.toMatchObject({
		verdict: 'indeterminate',
		cause: { message: expect.stringMatching(/short of memory/) }
	});
	expect(await left()).toEqual([]);
});

test('too little memory is reported before anything is done', async () => {
	const java = await makeJava(await realpath(await mkdtemp(path.join(os.tmpdir(), 'trial-java-'))));
	rooms.push(path.dirname(path.dirname(path.dirname(java))));
	const { trials, boot, left } = await setup({
		trusted: true,
		installation: async () => ({
			command: [java, '-Xmx900T', '-jar', 'server.jar'],
			worldDir: '/nowhere',
			supported: true
		})
	});
	const words = /^There is not enough memory for a trial boot beside the running server/;
	expect(await trials.problem()).toMatch(words);
	await expect(boot({ id: 'a' })).rejects.toThrow(words);
	expect(await left().catch(() => [])).toEqual([]);
});
