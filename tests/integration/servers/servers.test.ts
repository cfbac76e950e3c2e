import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, readdir, readlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { offlineUuid } from '../../../src/lib/server/minecraft/lists/profiles.ts';
import type { FolderKind } from '../../fakes/game/server-folders.ts';
import { ADMIN, eventually, processesIn, signedIn } from '../../harness.ts';
import { begin, ended, operation, power, reaches, status } from '../kit/actions.ts';
import { isAlive, open, pageText } from '../kit/servers-kit.ts';

const NOT_FOR_THE_GAME = /PASSWORD|USERNAME|SECRET/;

/** What a process holds open: pipes and sockets by their inode. */
async function pipesOf(pid: number): Promise<string[]> {
	const names = await readdir(`/proc/${pid}/fd`);
	const links = await Promise.all(
		names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => ''))
	);
	return links.filter((link) => /^(pipe|socket):/.test(link));
}

const sessionOf = async (pid: number) =>
	Number((await readFile(`/proc/${pid}/stat`, 'latin1')).split(') ').pop()?.split(' ')[3]);

describe.concurrent('a folder as its installer leaves it', () => {
	const args = (library: string) => [
		'@user_jvm_args.txt',
		`@libraries/${library}/unix_args.txt`,
		'nogui'
	];
	const jar = (file: string) => ['-jar', file, 'nogui'];

	test.for<[FolderKind, string, string, string[]]>([
		[
			'fabric',
			'Fabric 0.16.9',
			'1.21.1',
			jar('fabric-server-mc.1.21.1-loader.0.16.9-launcher.1.0.1.jar')
		],
		['fabric-legacy', 'Fabric 0.14.17', '1.19.2', jar('fabric-server-launch.jar')],
		['quilt', 'Quilt 0.28.1', '1.20.1', jar('quilt-server-launch.jar')],
		['forge', 'Forge 47.2.4', '1.20.1', args('net/minecraftforge/forge/1.20.1-47.2.4')],
		['forge-old', 'Forge 36.2.39', '1.16.5', jar('forge-1.16.5-36.2.39.jar')],
		['neoforge', 'NeoForge 21.1.172', '1.21.1', args('net/neoforged/neoforge/21.1.172')],
		['paper', 'Paper build 60', '1.21.8', jar('paper-1.21.8-60.jar')],
		['vanilla', 'Vanilla', '1.20.4', jar('server.jar')]
	])('%s is recognised, started and stopped', async ([kind, software, version, argv], here) => {
		const { folder, dashboard, ada } = await open(kind, {}, here.onTestFinished);
		expect(await status(ada)).toMatchObject({ state: 'stopped', software, version });
		expect(await pageText(ada, '/admin/settings')).toContain(` java ${argv.join(' ')} `);

		const started = await power(ada, 'start');
		expect(started).toMatchObject({ state: 'succeeded', cause: null });
		expect(await status(ada)).toMatchObject({ state: 'running', software, version });
		const starts = await folder.starts();
		expect(starts).toHaveLength(1);
		const [{ pid, env, files, ...start }] = starts as [(typeof starts)[0]];
		expect(start).toEqual({ argv, cwd: folder.dir, session: pid, parent: dashboard.pid });
		const console = path.join(dashboard.dataDir, 'console/server.log');
		// Its input is an open pipe without a name, which nobody else can write to.
		const input = path.join(dashboard.dataDir, 'console/input (deleted)');
		expect(files).toEqual([input, console, console]);
		expect(await sessionOf(dashboard.pid)).not.toBe(pid);
		// Except for what this very test has inherited, and so passed to both.
		const inherited = new Set(await pipesOf(process.pid));
		const held = new Set(await pipesOf(dashboard.pid));
		const shared = (await pipesOf(pid)).filter((pipe) => held.has(pipe) && !inherited.has(pipe));
		expect(shared).toEqual([]);
		expect(env['CRAFTWARDEN_LAUNCH']).toBe(started.id);
		expect(Object.keys(env).filter((name) => NOT_FOR_THE_GAME.test(name))).toEqual([]);
		expect(await readFile(console, 'utf8')).toContain('Done (0.020s)!');

		const stopped = await power(ada, 'stop');
		expect(stopped).toMatchObject({ state: 'succeeded', cause: null });
		expect(stopped.steps[0]).toMatchObject({
			id: 'stop',
			detail:
				'The console (RCON) is off, so the process was asked to stop (SIGTERM), which saves too.'
		});
		expect(await status(ada)).toMatchObject({ state: 'stopped', reason: 'Stopped by ada.' });
		expect(isAlive(pid)).toBe(false);
	});
});

describe('unusual characters in a path or a command', () => {
	const NASTY = `it's "my"; touch pwned; $(touch pwned) \`touch pwned\` & | * server`;

	test('a folder, a Java and a data folder with such names are just names', async () => {
		const { folder, dashboard, ada } = await open('neoforge', {
			below: NASTY,
			env: ({ dir, javaHome }) => ({
				JAVA_HOME: javaHome,
				PATH: '/usr/bin:/bin',
				DATA_DIR: path.join(dir, '..', 'the $(touch pwned) data')
			})
		});
		expect(await pageText(ada, '/admin/settings')).toContain(`${folder.java} @user_jvm_args.txt @`);
		expect(await power(ada, 'start')).toMatchObject({ state: 'succeeded' });
		expect(await folder.starts()).toMatchObject([{ cwd: folder.dir, parent: dashboard.pid }]);
		expect(await processesIn(folder.dir)).toHaveLength(1);
		expect(await power(ada, 'stop')).toMatchObject({ state: 'succeeded' });
		expect(await processesIn(folder.dir)).toEqual([]);
		expect(await readdir(path.dirname(folder.dir))).not.toContain('pwned');
		expect(await readdir(folder.dir)).not.toContain('pwned');
	});

	test('SERVER_COMMAND overrides the contents of the folder, and its words arrive unchanged', async () => {
		const words = ['-Xmx1G', '-Dname=a b', `-D${NASTY}`, '', '-jar', 'other server.jar', 'nogui'];
		const { folder, ada } = await open('fabric', {
			env: ({ java }) => ({ SERVER_COMMAND: JSON.stringify([java, ...words.filter(Boolean)]) })
		});
		const page = await pageText(ada, '/admin/settings');
		expect(page).toContain(`${folder.java} -Xmx1G -Dname=a b -D${NASTY} -jar other server.jar`);
		expect(page).toContain('SERVER_COMMAND says how to start it');
		expect(await status(ada)).toMatchObject({ software: 'Fabric 0.16.9' });
		expect(await power(ada, 'start')).toMatchObject({ state: 'succeeded' });
		expect(await folder.starts()).toMatchObject([{ argv: words.filter(Boolean) }]);
		expect(await readdir(folder.dir)).not.toContain('pwned');
	});
});

test('without a server in the folder nothing starts, and the overview says what is missing', async () => {
	const { folder, ada } = await open(null);
	const answer = await ada.json('/api/server/start', {});
	expect(answer.status).toBe(409);
	expect(answer.body.detail).toMatch(/^No server was found in .* set SERVER_COMMAND\.$/);
	const page = await pageText(ada, '/admin');
	expect(page).toContain('Set up the server One thing to do');
	expect(page).toContain('Set up a server here');
	expect(page).toContain(`Or copy your own server into ${folder.dir}.`);
	await folder.write('mods/a.jar', 'x');
	const guide = await pageText(ada, '/admin');
	expect(guide).toContain('There is something in the folder already: mods.');
	expect(guide).not.toContain('Set up a server here');
	for (const button of ['Accept', 'Apply now']) expect(guide).toContain(button);
	expect(await pageText(ada, '/admin/server')).toContain('something in the folder already: mods.');
	expect(await pageText(ada, '/admin/settings')).toContain(answer.body.detail);
	expect((await ada.json('/api/operations')).body.operations).toEqual([]);
	expect(await status(ada)).toMatchObject({ state: 'stopped', software: null, version: null });
	expect(await folder.starts()).toEqual([]);
});

test('three people press Start at once: one server starts, the others are told', async () => {
	const { folder, dashboard, ada } = await open('paper', { behaviour: { readyAfterMs: 500 } });
	const bob = await signedIn(dashboard, ADMIN);
	const answers = await Promise.all(
		[ada, bob, ada].map((visitor) => visitor.json('/api/server/start', {}))
	);
	expect(answers.map((answer) => answer.status).sort()).toEqual([202, 409, 409]);
	for (const { status, body } of answers) if (status === 409) expect(body.detail).toMatch(/start/i);
	await reaches(ada, 'running');
	expect(await folder.starts()).toHaveLength(1);
});

describe('a server that somebody started by hand', () => {
	const startByHand = async (command: string, argv: string[], cwd: string, PATH: string) => {
		const child = spawn(command, argv, { cwd, stdio: 'ignore', env: { PATH } });
		onTestFinished(() => void child.kill('SIGKILL'));
		await once(child, 'spawn');
		return child;
	};
	const over = async (child: ChildProcess) => {
		if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
	};

	test('before the dashboard counts as running, and can be stopped', async () => {
		let child!: ChildProcess;
		const { folder, dashboard, ada } = await open('vanilla', {
			async prepare({ dir, java, starts }) {
				child = await startByHand(java, ['-jar', 'server.jar', 'nogui'], dir, '/usr/bin:/bin');
				await eventually(starts, ({ length }) => length === 1);
			}
		});
		await reaches(ada, 'running');
		expect((await ada.json('/api/server/start', {})).status).toBe(409);
		await dashboard.kill('SIGTERM');
		expect(isAlive(child.pid!)).toBe(true);

		const next = await dashboard.again();
		onTestFinished(() => next.kill('SIGKILL'));
		const bob = await signedIn(next, ADMIN);
		await reaches(bob, 'running', 5_000);
		expect(await power(bob, 'stop')).toMatchObject({ state: 'succeeded' });
		await over(child);
		expect(child.exitCode).toBe(143);
		expect(await status(bob)).toMatchObject({ state: 'stopped', reason: 'Stopped by bob.' });
		expect(await folder.starts()).toHaveLength(1);
	});

	test('with run.sh while the dashboard runs: its java is told to stop, not the shell', async () => {
		const { folder, ada } = await open('forge');
		expect(await status(ada)).toMatchObject({ state: 'stopped' });
		const shell = await startByHand(
			'/bin/sh',
			['run.sh', 'nogui'],
			folder.dir,
			`${path.dirname(folder.java)}:/usr/bin:/bin`
		);
		const { startedAt } = await reaches(ada, 'running');
		const [{ pid } = { pid: 0 }] = await folder.starts();
		expect(pid).not.toBe(shell.pid);
		expect(Math.abs(Date.parse(startedAt ?? '') - Date.now())).toBeLessThan(60_000);
		const stopped = await power(ada, 'stop');
		expect(stopped).toMatchObject({ state: 'succeeded' });
		expect(await status(ada)).toMatchObject({ state: 'stopped', reason: 'Stopped by ada.' });
		await over(shell);
		// The shell exited by itself, with its java's code; nobody signalled it.
		expect([shell.exitCode, shell.signalCode]).toEqual([143, null]);
	});
});

describe('a process.json that is not true any more', () => {
	/** In the server's folder itself, as somebody's shell or editor may be. */
	async function strangerIn(cwd: string) {
		const stranger = spawn('sleep', ['600'], { cwd, stdio: 'ignore' });
		onTestFinished(() => void stranger.kill('SIGKILL'));
		await once(stranger, 'spawn');
		return stranger as ChildProcess & { pid: number };
	}
	const untouched = ({ exitCode, signalCode }: ChildProcess) =>
		exitCode === null && signalCode === null;

	test('names a stranger: the server is stopped, cannot be killed, and starts', async () => {
		let stranger!: Awaited<ReturnType<typeof strangerIn>>;
		const { folder, ada } = await open('vanilla', {
			env: ({ dir }) => ({ DATA_DIR: path.join(dir, '../data') }),
			async prepare({ dir }) {
				stranger = await strangerIn(dir);
				const stat = await readFile(`/proc/${stranger.pid}/stat`, 'latin1');
				const bootId = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
				const record = {
					pid: stranger.pid,
					startTicks: Number(stat.split(') ').pop()?.split(' ')[19]) - 1,
					bootId: bootId.trim(),
					startedAt: new Date().toISOString(),
					argv: ['java', '-jar', 'server.jar', 'nogui'],
					ours: true
				};
				await mkdir(path.join(dir, '../data'));
				await writeFile(path.join(dir, '../data/process.json'), JSON.stringify(record));
			}
		});
		expect(await status(ada)).toMatchObject({ state: 'stopped', startedAt: null });
		expect((await ada.json('/api/server/stop', {})).status).toBe(409);
		expect((await ada.json('/api/server/kill', {})).status).toBe(409);
		expect(await power(ada, 'start')).toMatchObject({ state: 'succeeded' });
		expect(await power(ada, 'stop')).toMatchObject({ state: 'succeeded' });
		expect(await folder.starts()).toHaveLength(1);
		expect(untouched(stranger)).toBe(true);
	});

	test('after dashboard and game were killed and the pid was given to a stranger', async () => {
		const { folder, dashboard, ada } = await open('vanilla');
		await power(ada, 'start');
		const pid = (await folder.starts())[0]!.pid;
		await dashboard.kill('SIGKILL');
		process.kill(pid, 'SIGKILL');
		const stranger = await strangerIn(folder.dir);
		for (const name of ['process.json', 'server-state.json']) {
			const file = path.join(dashboard.dataDir, name);
			const text = await readFile(file, 'utf8');
			expect(text).toContain(`"pid":${pid},`);
			await writeFile(file, text.replaceAll(`"pid":${pid},`, `"pid":${stranger.pid},`));
		}

		const next = await dashboard.again();
		onTestFinished(() => next.kill('SIGKILL'));
		const visitor = await signedIn(next);
		expect(await status(visitor)).toMatchObject({ state: 'crashed', startedAt: null });
		expect((await visitor.json('/api/server/kill', {})).status).toBe(409);
		expect(await power(visitor, 'start')).toMatchObject({ state: 'succeeded' });
		expect(await power(visitor, 'stop')).toMatchObject({ state: 'succeeded' });
		expect(untouched(stranger)).toBe(true);
	});
});

describe('an unresponsive server', () => {
	test('that ignores the stop is waited for, until a superadmin kills it', async () => {
		const { folder, dashboard, ada } = await open('paper', { behaviour: { stopAfterMs: null } });
		const bob = await signedIn(dashboard, ADMIN);
		await power(bob, 'start');
		const pid = (await folder.starts())[0]!.pid;
		const id = await begin(bob, 'stop');
		await eventually(
			() => operation(bob, id),
			({ steps }) =>
				/^It was told to stop, and should save its worlds and end\./.test(steps[1]?.detail ?? '')
		);
		expect(await status(bob)).toMatchObject({
			state: 'stopping',
			reason: 'bob is stopping the server, which saves its worlds first.'
		});
		for (const action of ['start', 'stop', 'restart'])
			expect((await ada.json(`/api/server/${action}`, {})).status).toBe(409);
		expect((await bob.json(`/api/operations/${id}/cancel`, {})).status).toBe(409);

		const refused = await bob.json('/api/server/kill', {});
		expect(refused.status).toBe(403);
		expect((await bob.form('/admin?/kill')).status).toBe(403);
		expect(isAlive(pid)).toBe(true);
		expect(await operation(bob, id)).toMatchObject({ state: 'running' });

		const killed = await ada.json('/api/server/kill', {});
		expect(killed.status).toBe(200);
		expect(killed.body.message).toBe('The server was killed. What it had not saved is lost.');
		expect(isAlive(pid)).toBe(false);
		expect(await ended(bob, id)).toMatchObject({
			...{ kind: 'stop', state: 'failed' },
			cause: { message: expect.stringMatching(/killed by ada .* not saved is lost/) }
		});
		expect(await status(ada)).toMatchObject({ state: 'stopped', reason: 'Killed by ada.' });
		expect(await folder.starts()).toHaveLength(1);
	});

	test('that never becomes ready is left alone after the time limit, and can be killed', async () => {
		const { folder, ada } = await open('paper', {
			behaviour: { readyAfterMs: null, stopAfterMs: null },
			env: () => ({ VERIFY_TIMEOUT_SECONDS: '3' })
		});
		const id = await begin(ada, 'start');
		expect(await status(ada)).toMatchObject({ state: 'starting' });
		const { state, steps, cause } = await ended(ada, id);
		expect({ state, steps: steps.map(({ status }) => status) }).toEqual({
			state: 'failed',
			steps: ['done', 'failed']
		});
		expect(cause).toMatchObject({
			message: expect.stringMatching(
				/^The server was still loading after 3 s\. It was not stopped/
			),
			log: [expect.stringContaining('Starting minecraft server')],
			mods: []
		});
		const pid = (await folder.starts())[0]!.pid;
		expect(isAlive(pid)).toBe(true);
		expect(await status(ada)).toMatchObject({ state: 'starting', reason: 'It is loading.' });
		expect((await ada.json('/api/server/start', {})).status).toBe(409);

		expect((await ada.json('/api/server/kill', {})).status).toBe(200);
		expect(isAlive(pid)).toBe(false);
		expect(await status(ada)).toMatchObject({ state: 'stopped', reason: 'Killed by ada.' });
	});
});

test('statistics in an unsupported format are unknown everywhere, not zero', async () => {
	const [ana, bo] = [offlineUuid('Ana'), offlineUuid('Bo')];
	const { ada } = await open('fabric', {
		prepare: async ({ write }) => {
			await write('usercache.json', JSON.stringify([{ name: 'Ana', uuid: ana }]));
			await write(`world/stats/${ana}.json`, '{"stats":{"custom":{"play_time":72000}}}');
			await write(
				`world/stats/${bo}.json`,
				'{"stats":{"minecraft:custom":{"minecraft:play_time":72000}}}'
			);
		}
	});
	const { players } = (await ada.json('/api/players/stats')).body;
	const { uuid, name, ...numbers } = players.find((one: { uuid: string }) => one.uuid === ana);
	expect([uuid, name]).toEqual([ana, 'Ana']);
	expect(Object.keys(numbers)).toHaveLength(22);
	expect(new Set(Object.values(numbers))).toEqual(new Set([null]));
	const playtime = (await ada.json('/api/players/playtime')).body.players;
	expect(playtime).toMatchObject([
		{ uuid: bo, hours: 1 },
		{ uuid: ana, ticks: null, hours: null }
	]);
	expect(await pageText(ada, '/admin/stats?metric=playtime')).toMatch(/1 h.*Ana –/s);
	expect(await pageText(ada, `/admin/players/${ana}`)).toMatch(/Playtime –.*Deaths –/s);
});

test('a player of whom only the id is known has no name, but has a page', async () => {
	const [named, nameless] = [offlineUuid('Ana'), offlineUuid('Bo')];
	const played = JSON.stringify({ stats: { 'minecraft:custom': { 'minecraft:play_time': 1200 } } });
	const { ada } = await open('fabric', {
		prepare: async ({ write }) => {
			await write('ops.json', JSON.stringify([{ uuid: named, name: 'Ana', level: 4 }]));
			for (const id of [named, nameless]) await write(`world/stats/${id}.json`, played);
		}
	});
	const { known } = (await ada.json('/api/players')).body;
	expect(known).toHaveLength(2);
	expect(known).toContainEqual({ name: 'Ana', uuid: named, lastSeenAt: expect.any(String) });
	expect(known).toContainEqual({ name: null, uuid: nameless, lastSeenAt: expect.any(String) });
	const listed = await ada.json('/api/players', { action: 'whitelist-add', uuid: nameless });
	expect([listed.status, listed.body]).toMatchObject([200, { changed: true }]);
	expect((await ada.json('/api/players')).body.whitelist.players).toEqual([
		{ name: nameless, uuid: nameless }
	]);
	const shown = `Unknown ${nameless.slice(0, 8)}`;
	expect(await pageText(ada, '/admin/players?tab=everyone')).toContain(shown);
	expect(await pageText(ada, `/admin/players/${nameless}`)).toContain(shown);
	const board = await pageText(ada, '/admin/stats?show=all');
	expect(board).toContain(shown);
	expect(board.match(/usercache\.json/g)).toHaveLength(1);
});
