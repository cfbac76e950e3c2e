import { execFile } from 'node:child_process';
import { once } from 'node:events';
import {
	chmod,
	cp,
	lstat,
	mkdir,
	readFile,
	readdir,
	rm,
	stat,
	symlink,
	truncate,
	writeFile
} from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Operation, Step } from '../../src/lib/schemas/operation.ts';
import { readSse } from '../fakes/sse-reader.ts';
import { standInFolder } from '../fakes/server-folders.ts';
import {
	ADMIN,
	SUPERADMIN,
	eventually,
	processesIn,
	seedDemo,
	signedIn,
	startDashboard,
	Visitor,
	type Dashboard
} from '../harness.ts';
import {
	ask,
	bareSocket,
	largeOperation,
	memoryOf,
	newHome,
	NPM_START,
	runProgram,
	socketsOf,
	soundEnv,
	type Program
} from './program.ts';

const run = promisify(execFile);
const opened: (() => Promise<unknown>)[] = [];
afterAll(async () => {
	for (const close of opened.splice(0).reverse()) await close();
});

async function dashboardWith(env: Record<string, string> = {}) {
	const dashboard = await startDashboard({ env });
	opened.push(() => dashboard.dispose());
	return dashboard;
}
async function again(dashboard: Dashboard, env: Record<string, string> = {}) {
	const next = await dashboard.again(env);
	opened.push(() => next.kill('SIGKILL'));
	return next;
}
async function home() {
	const dir = await newHome();
	opened.push(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }));
	return dir;
}
function program(...given: Parameters<typeof runProgram>): Program {
	const started = runProgram(...given);
	opened.push(async () => {
		started.kill('SIGKILL');
		await started.ended;
	});
	return started;
}

const state = async (visitor: Visitor) => (await visitor.json('/api/status')).body.state as string;
const reaches = (visitor: Visitor, wanted: string, limitMs?: number) =>
	eventually(
		() => state(visitor),
		(now) => now === wanted,
		limitMs
	);
async function started(visitor: Visitor, deed = 'start'): Promise<{ id: string }> {
	const { status, body } = await visitor.json(`/api/server/${deed}`, {});
	if (status !== 202) throw new Error(`${deed} answered ${JSON.stringify(body)}`);
	return body.operation;
}
const finished = (visitor: Visitor, id: string, limitMs?: number) =>
	eventually(
		async () => (await visitor.json(`/api/operations/${id}`)).body.operation,
		(operation) => operation.state !== 'running',
		limitMs
	);
/** What includes stops and starts of the game. */
const SLOW_MS = 60_000;

describe.concurrent('starting', () => {
	test('a second dashboard on the same data says so and leaves the first alone', async () => {
		const first = await dashboardWith();
		const ada = await signedIn(first);
		await ada.json('/api/settings', { autoRestart: true }, 'PATCH');
		const dir = await home();
		const second = program(dir, { ...soundEnv(dir), DATA_DIR: first.dataDir });
		expect(await second.ended).toEqual({ code: 1, signal: null });
		expect(second.errors()).toEqual([
			expect.stringMatching(/^craftwarden: DATA_DIR: another Craftwarden already uses .+\.$/)
		]);
		expect(await second.listening).toBeNull();

		expect((await ada.json('/api/settings')).body.settings.autoRestart).toBe(true);
		expect((await ada.json('/api/server/start', {})).status).toBe(202);
		await reaches(ada, 'running');
		// However the first one ends, its data is free at once.
		await first.kill('SIGKILL');
		const next = await again(first);
		await reaches(await signedIn(next), 'running');
	});

	const wrong: [variable: string, env: Record<string, string>][] = [
		['PORT', { PORT: 'abc' }],
		['PORT', { PORT: '70000' }],
		['HOST', { HOST: 'no host' }],
		['HOST', { HOST: '203.0.113.5' }],
		['TRUST_PROXY', { TRUST_PROXY: '127.0.0.1, 10.0.0.0/33' }],
		['PUBLIC_URL', { PUBLIC_URL: 'ftp://example.org' }],
		['AUTH_SECRET', { AUTH_SECRET: 'Tr0ub4dor' }],
		['SUPERADMIN_PASSWORD', { SUPERADMIN_PASSWORD: 'Tr0ub4d' }],
		['SUPERADMIN_PASSWORD', { SUPERADMIN_PASSWORD: '$scrypt$ln=15$Tr0ub4dor' }],
		['SUPERADMIN_USERNAME', { SUPERADMIN_USERNAME: '' }],
		['ADMIN_USERNAME', { ADMIN_USERNAME: 'ADA' }],
		['SERVER_DIR', { SERVER_DIR: '/nowhere/at/all' }],
		['SERVER_DIR', { SERVER_DIR: '/etc/passwd' }],
		['SERVER_COMMAND', { SERVER_COMMAND: 'java -jar server.jar' }],
		['RCON_PORT', { RCON_PORT: '0' }],
		['SCHEDULER', { SCHEDULER: 'systemd' }],
		['MODRINTH_URL', { MODRINTH_URL: 'modrinth.com' }],
		['VERIFY_TIMEOUT_SECONDS', { VERIFY_TIMEOUT_SECONDS: '1e9' }],
		['STREAMS_PER_ACCOUNT', { STREAMS_PER_ACCOUNT: '-1' }],
		['DATA_DIR', { DATA_DIR: '/etc/passwd' }],
		['DATA_DIR', { DATA_DIR: '/dev/null/data' }]
	];
	test('what is wrong with the environment is one line that begins with the variable', async () => {
		const dir = await home();
		for (let at = 0; at < wrong.length; at += 3)
			await Promise.all(
				wrong.slice(at, at + 3).map(async ([variable, env], i) => {
					const own = { ...soundEnv(dir), DATA_DIR: path.join(dir, `data${i}`), ...env };
					const started = program(dir, own);
					const told = `${variable}=${env[variable]}`;
					expect(await started.ended, told).toEqual({ code: 1, signal: null });
					expect(started.errors(), told).toEqual([
						expect.stringMatching(new RegExp(`^craftwarden: ${variable}: .+\\.$`))
					]);
					expect(started.output(), told).not.toMatch(/Tr0ub4d|listens on|\n\s+at /);
				})
			);
	}, 60_000);

	test('what is missing is one line for each, and nothing half works', async () => {
		const dir = await home();
		const env: Record<string, string> = { ...soundEnv(dir), SERVER_DIR: dir };
		for (const name of ['SUPERADMIN_USERNAME', 'SUPERADMIN_PASSWORD']) delete env[name];
		const none = program(dir, env);
		expect(await none.ended).toEqual({ code: 1, signal: null });
		expect(none.errors()).toEqual([
			expect.stringMatching(/^craftwarden: SUPERADMIN_USERNAME: is required/),
			expect.stringMatching(/^craftwarden: SUPERADMIN_PASSWORD: is required/)
		]);
	});

	test('spaces and a newline around values do no harm; an unknown variable is named', async () => {
		const dir = await home();
		const env = Object.entries(soundEnv(dir)).map(([name, value]) => [name, ` ${value}\n`]);
		const started = program(dir, { ...Object.fromEntries(env), SERVER_DRI: '/srv' });
		const url = await started.listening;
		expect(url, started.output()).not.toBeNull();
		expect(started.errors()).toEqual([expect.stringContaining('SERVER_DRI is none of')]);
		await signedIn({ url: url! });
	});

	test('a .env that cannot be read is named', async () => {
		const root = await home();
		const here = (name: string) => path.resolve(import.meta.dirname, '../..', name);
		const isPlain = (name: string) => !/node-runtime|demo-server|bench/.test(name);
		await cp(here('scripts'), path.join(root, 'scripts'), { recursive: true, filter: isPlain });
		await symlink(here('build'), path.join(root, 'build'));
		await writeFile(path.join(root, 'package.json'), '{"type":"module"}');
		await mkdir(path.join(root, '.env'));
		const started = program(root, soundEnv(root), { root });
		expect(await started.ended).toEqual({ code: 1, signal: null });
		expect(started.errors()).toEqual([expect.stringMatching(/^craftwarden: \.env: .+\.$/)]);
	});

	test('a port in use is said, and no process is left', async () => {
		const taken = createServer().listen(0, '127.0.0.1');
		await once(taken, 'listening');
		opened.push(async () => taken.close());
		const { port } = taken.address() as AddressInfo;
		const dir = await home();
		const env = soundEnv(dir);
		const started = program(dir, { ...env, PORT: String(port) });
		expect(await started.ended).toEqual({ code: 1, signal: null });
		expect(started.errors()).toEqual([
			expect.stringMatching(new RegExp(`^craftwarden: PORT: ${port} is in use`))
		]);
		expect(await processesIn(path.join(env.DATA_DIR, 'demo'))).toEqual([]);
		expect(await program(dir, env).listening).not.toBeNull();
		expect((await stat(env.DATA_DIR)).mode & 0o777).toBe(0o700);
	});
});

describe.concurrent('ending', () => {
	test('a start that SIGTERM cuts off is taken up by the next dashboard', async () => {
		const dir = await home();
		const env = { ...soundEnv(dir), DEMO_BOOT_MS: '4000' };
		const gameDir = path.join(env.DATA_DIR, 'demo');
		opened.push(() => endGames(gameDir));
		await seedDemo(env.DATA_DIR);
		const first = program(dir, env);
		const bob = await signedIn({ url: (await first.listening)! }, ADMIN);
		const { id } = await started(bob);
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
		const operation = await finished(visitor, id);
		expect(operation).toMatchObject({ cause: null, state: 'succeeded' });
		expect(operation.steps.map(({ status }: { status: string }) => status)).toEqual([
			'done',
			'done'
		]);
		expect(await processesIn(gameDir)).toEqual([pid]);
		expect(await state(visitor)).toBe('running');
	}, 40_000);

	test(
		'a backup that SIGTERM cuts off leaves nothing half, and the game saves again',
		async () => {
			const dir = await home();
			const env = { ...soundEnv(dir), DEMO_BOTS: '0' };
			const gameDir = path.join(env.DATA_DIR, 'demo');
			opened.push(() => endGames(gameDir));
			await seedDemo(env.DATA_DIR);
			const first = program(dir, env);
			const ada = await signedIn({ url: (await first.listening)! });
			await finished(ada, (await started(ada)).id);
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
			expect(await finished(visitor, id, SLOW_MS)).toMatchObject({ state: 'interrupted' });
			const { body } = await visitor.json('/api/console', { command: 'save-on' });
			expect(body.output).toContain('already turned on');
			expect((await visitor.json('/api/backups')).body.backups).toEqual([]);
		},
		2 * SLOW_MS
	);

	test(
		'an update of mods that SIGTERM cuts off is taken up by the next dashboard: all new, or all old',
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
			await finished(bob, (await started(bob)).id);
			const update = readSse(
				await bob.fetch('/api/mods/update', {
					method: 'POST',
					headers: { 'content-type': 'application/json' },
					body: JSON.stringify({ fileNames: [old] })
				})
			);
			await eventually(
				async () => update.of('step') as Step[],
				(steps) => steps.some(({ id, status }) => id === 'verify' && status === 'running'),
				SLOW_MS
			);
			const [{ id }] = update.of('operation') as [Operation];
			first.kill('SIGTERM');
			expect(await first.ended).toEqual({ code: 0, signal: null });
			await update.done;
			expect(update.of('end')).toEqual([]); // nobody says that it has ended

			const visitor = await signedIn({ url: (await program(dir, env).listening)! }, ADMIN);
			const { state: outcome } = await finished(visitor, id, SLOW_MS);
			const isNew = outcome === 'succeeded';
			if (!isNew) expect(outcome).toBe('rolled-back');
			expect(await jars()).toEqual(isNew ? [...kept, ...added].sort() : before);
			expect(await state(visitor)).toBe('running');
			expect(await processesIn(gameDir)).toHaveLength(1);
		},
		2 * SLOW_MS
	);

	test('`npm start` ends the dashboard when it is told to end, as systemd tells it', async () => {
		const dir = await home();
		const env = { ...soundEnv(dir), npm_config_update_notifier: 'false' };
		const started = program(dir, env, { argv: NPM_START });
		const url = (await started.listening)!;
		expect((await fetch(`${url}/healthz`)).status).toBe(200);
		started.kill('SIGTERM');
		await started.ended; // whoever held its output has ended
		await expect(fetch(`${url}/healthz`)).rejects.toThrow();
	});

	test('a promise or an event that nobody looks after is a line in the log, not the end', async () => {
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

/** A small disk of its own; null where that is not possible. */
async function tinyDisk(dir: string): Promise<string | null> {
	const disk = path.join(dir, 'disk');
	await mkdir(disk);
	const mounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=8m,mode=700', 'tmpfs', disk]).then(
		() => true,
		() => false
	);
	if (mounted) opened.push(() => run('umount', ['-l', disk]));
	return mounted ? disk : null;
}

describe.concurrent('a disk that refuses', () => {
	test('full: every change says so, nothing is lost, and all is well when there is room again', async ({
		skip
	}) => {
		const disk = await tinyDisk(await home());
		if (!disk) return skip('only root can mount a disk');
		const dashboard = await dashboardWith({ DATA_DIR: disk, DEMO_BOTS: '0' });
		const ada = await signedIn(dashboard);
		const leaving = await signedIn(dashboard);
		await ada.json('/api/settings', { autoRestartLimit: 7 }, 'PATCH');
		await fill(path.join(disk, 'filler'));

		const refused = await ada.json('/api/settings', { autoRestartLimit: 9 }, 'PATCH');
		expect(refused.status).toBe(500);
		expect(refused.headers.get('content-type')).toBe('application/problem+json');
		expect(refused.body.detail).toMatch(
			/could not be saved: the disk is full\. Nothing was changed/
		);
		expect((await ada.json('/api/settings')).body.settings.autoRestartLimit).toBe(7);
		const page = await ada.form('/admin/settings?/save', {
			autoRestartLimit: '9',
			autoRestartWindowMinutes: '10'
		});
		expect(page.status).toBe(500);
		expect(await page.text()).toContain('the disk is full');

		const start = await ada.json('/api/server/start', {});
		expect([start.status, start.body.detail]).toEqual([
			500,
			expect.stringContaining('the disk is full')
		]);
		expect(await processesIn(dashboard.gameDir)).toEqual([]);
		expect((await ada.json('/api/operations')).body.operations).toEqual([]);
		// Somebody who leaves is gone all the same, and whoever comes is told.
		const { cookie } = leaving;
		expect((await leaving.form('/logout')).status).toBe(303);
		expect((await ask(dashboard.url, '/api/operations', { headers: { cookie } })).status).toBe(401);
		const newcomer = new Visitor(dashboard);
		const entry = await newcomer.signIn(ADMIN);
		expect(entry.status).toBe(500);
		expect(await entry.text()).toContain('the disk is full');
		expect((await newcomer.json('/api/operations')).status).toBe(401);
		for (const target of ['/', '/healthz', '/api/status', '/admin', '/api/audit'])
			expect((await ada.fetch(target)).status, target).toBe(200);

		// One that starts on the full disk serves as well, and knows who is signed in.
		await dashboard.kill();
		const meanwhile = await again(dashboard);
		const own = { headers: { cookie: ada.cookie } };
		const settings = await ask(meanwhile.url, '/api/settings', own);
		expect(JSON.parse(settings.body).settings.autoRestartLimit).toBe(7);
		expect((await ask(meanwhile.url, '/api/status')).status).toBe(200);

		await rm(path.join(disk, 'filler'));
		const visitor = await signedIn(meanwhile);
		const saved = await visitor.json('/api/settings', { autoRestartLimit: 9 }, 'PATCH');
		expect([saved.status, saved.body.settings.autoRestartLimit]).toEqual([200, 9]);
		await started(visitor);
		await reaches(visitor, 'running');
		await meanwhile.kill('SIGKILL');
		const last = await signedIn(await again(dashboard));
		expect((await last.json('/api/settings')).body.settings.autoRestartLimit).toBe(9);
		await dashboard.dispose();
	}, 60_000);

	test('read-only from the start: one line that names the variable', async ({ skip }) => {
		const dir = await home();
		const disk = await tinyDisk(dir);
		if (!disk) return skip('only root can mount a disk');
		const env = { ...soundEnv(dir), DATA_DIR: disk };
		const before = program(dir, env);
		await before.listening;
		before.kill('SIGTERM');
		await before.ended;
		for (const emptied of [false, true]) {
			if (emptied) await run('find', [disk, '-mindepth', '1', '-delete']);
			await run('mount', ['-o', 'remount,ro', disk]);
			const started = program(dir, env);
			expect(await started.ended).toEqual({ code: 1, signal: null });
			expect(started.errors()).toEqual([
				expect.stringMatching(/^craftwarden: DATA_DIR: .*EROFS.*\.$/)
			]);
			await run('mount', ['-o', 'remount,rw', disk]);
		}
	}, 40_000);
});

async function fill(file: string) {
	const block = Buffer.alloc(64 * 1024);
	for (const size of [block.length, 4096, 1])
		for (;;) {
			const failed = await writeFile(file, block.subarray(0, size), { flag: 'a' }).catch(
				() => true
			);
			if (failed) break;
		}
}

describe.concurrent('state that is broken at the start', () => {
	const DAMAGE: Record<string, (text: string) => string | Buffer> = {
		'cut off': (text) => text.slice(0, text.length / 2),
		empty: () => '',
		'all NULs': (text) => Buffer.alloc(text.length),
		'other JSON': () => '{"hello":[1,2,3]}',
		'not JSON': () => 'autoRestart = yes\n'
	};

	test('it starts, says so, finds the game, and keeps what is broken aside', async () => {
		let dashboard = await dashboardWith();
		const { dataDir, gameDir } = dashboard;
		const ada = await signedIn(dashboard);
		const { id } = await started(ada);
		await finished(ada, id);
		const games = await processesIn(gameDir);
		await ada.json('/api/settings', { autoRestartLimit: 4 }, 'PATCH');
		await dashboard.kill();
		const names = [
			'settings.json',
			'sessions.json',
			'process.json',
			'server-state.json',
			`operations/${id}.json`
		];
		const whole = await Promise.all(
			names.map((name) => readFile(path.join(dataDir, name), 'utf8'))
		);

		for (const [kind, damage] of Object.entries(DAMAGE)) {
			await rm(path.join(dataDir, 'settings.json.prev'), { force: true });
			for (const [i, name] of names.entries())
				await writeFile(path.join(dataDir, name), damage(whole[i]!));
			dashboard = await again(dashboard);
			for (const name of ['settings.json', 'sessions.json'])
				expect(dashboard.output(), `${name} ${kind}`).toMatch(
					new RegExp(`craftwarden warn: ${name} .+ kept as ${name}\\.broken-`)
				);
			expect(dashboard.output(), kind).toContain(`journal of operation ${id} is damaged`);
			await eventually(
				async () => dashboard.output(),
				(output) => output.includes('server-state.json cannot be read')
			);
			const old = await ask(dashboard.url, '/api/operations', { headers: { cookie: ada.cookie } });
			expect(old.status, kind).toBe(401);
			const visitor = await signedIn(dashboard);
			await reaches(visitor, 'running');
			expect(await processesIn(gameDir), kind).toEqual(games);
			expect((await visitor.json('/api/settings')).body.settings.autoRestartLimit, kind).toBe(3);
			expect((await visitor.json('/api/operations')).body.operations, kind).toEqual([]);
			expect((await visitor.fetch('/admin')).status, kind).toBe(200);
			await dashboard.kill();
		}
		const kept = (await readdir(dataDir)).filter((name) => name.includes('.broken-'));
		expect(kept.length).toBe(2 * Object.keys(DAMAGE).length);
	}, 60_000);

	test('the copy before is used where there is one', async () => {
		const dashboard = await dashboardWith();
		const ada = await signedIn(dashboard);
		for (const autoRestartLimit of [5, 6])
			await ada.json('/api/settings', { autoRestartLimit }, 'PATCH');
		await dashboard.kill();
		await writeFile(path.join(dashboard.dataDir, 'settings.json'), '{"version":1,"da');
		const next = await again(dashboard);
		expect(next.output()).toContain('settings.json is damaged. The previous copy is used instead');
		const visitor = await signedIn(next);
		expect((await visitor.json('/api/settings')).body.settings.autoRestartLimit).toBe(5);
	});

	test.each(['settings.json', 'sessions.json'])(
		'%s of a newer release is refused and left as it is',
		async (name) => {
			const dir = await home();
			const env = soundEnv(dir);
			const file = path.join(env.DATA_DIR, name);
			const newer = '{"version":99,"data":{"fancy":true}}';
			await mkdir(env.DATA_DIR, { mode: 0o700 });
			await writeFile(file, newer, { mode: 0o600 });
			const started = program(dir, env);
			expect(await Promise.race([started.ended, started.listening])).toEqual({
				code: 1,
				signal: null
			});
			expect(started.errors()).toEqual([
				expect.stringMatching(
					new RegExp(`^craftwarden: .*${name} was written by a newer Craftwarden`)
				)
			]);
			expect(await readFile(file, 'utf8')).toBe(newer);
		}
	);
});

describe.concurrent('clients that misbehave', () => {
	let dashboard: Dashboard;
	let bob: Visitor;
	beforeAll(async () => {
		dashboard = await startDashboard();
		bob = await signedIn(dashboard, ADMIN);
	});
	afterAll(() => dashboard?.dispose());
	const head = () =>
		`Host: ${new URL(dashboard.url).host}\r\nOrigin: ${dashboard.url}\r\nCookie: ${bob.cookie}\r\n`;

	test('slow, silent, garbled and idle connections are hung up on; others are served meanwhile', async () => {
		const own = await dashboardWith();
		const line = `GET /api/status HTTP/1.1\r\nHost: 127.0.0.1\r\n`;
		const base = await socketsOf(own.pid);
		const slow = await many(60, own.url, `${line}X-Slow: `);
		const silent = await many(5, own.url);
		let told = '';
		for (const socket of silent) socket.on('data', (bytes) => (told += bytes));
		const others = [
			...silent,
			...(await many(5, own.url, '\u0016\u0003\u0001 what is this\r\n\r\n')),
			...(await many(5, own.url, `${line}X-Large: ${'x'.repeat(20_000)}\r\n\r\n`)),
			...(await many(5, own.url, `${line}\r\n`)), // answered, then idle
			...(await many(
				5,
				own.url,
				`POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: ${own.url}\r\n` +
					'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 60000\r\n\r\na'
			))
		];
		const drip = setInterval(() => {
			for (const socket of slow) if (socket.writable) socket.write('x');
		}, 300);
		try {
			await eventually(
				() => socketsOf(own.pid),
				(count) => count >= base + 60
			);
			let answered = 0;
			await eventually(
				async () => {
					const response = await fetch(`${own.url}/api/status`, {
						headers: { connection: 'close' }
					});
					await response.arrayBuffer();
					if (response.status === 200) answered++;
					return { left: await socketsOf(own.pid), status: response.status };
				},
				({ left, status }) => status === 200 && left <= base + 1,
				40_000
			);
			expect(answered).toBeGreaterThan(20);
			expect(told).toBe(''); // a browser would take it for the answer to its next question
		} finally {
			clearInterval(drip);
			for (const socket of [...slow, ...others]) socket.destroy();
		}
	}, 60_000);

	test('a pile of questions on one connection is not answered into our memory', async () => {
		const own = await dashboardWith();
		const script = await largestScript(own.url);
		const before = await memoryOf(own.pid);
		const get = `GET ${script} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
		const answers = await Promise.all(
			Array.from({ length: 30 }, async () => {
				const socket = await bareSocket(own.url);
				let text = '';
				socket.setEncoding('latin1').on('data', (chunk) => (text += chunk));
				const over = new Promise((resolve) => socket.once('end', resolve).once('close', resolve));
				socket.write(get.repeat(300));
				await over;
				socket.destroy();
				return text.split('HTTP/1.1 200').length - 1;
			})
		);
		expect(Math.max(...answers)).toBeLessThanOrEqual(10);
		expect((await memoryOf(own.pid)) - before).toBeLessThan(150);
		expect((await fetch(`${own.url}/api/status`)).status).toBe(200);
	});

	test('readers that never take their answer are hung up on', async () => {
		const own = await dashboardWith();
		const id = await largeOperation(own.dataDir);
		const visitor = await signedIn(own, ADMIN);
		const base = await socketsOf(own.pid);
		const get = `GET /api/operations/${id} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ${visitor.cookie}\r\n\r\n`;
		const sockets = await Promise.all([0, 1, 2].map(() => bareSocket(own.url)));
		for (const socket of sockets) socket.pause().write(get);
		await eventually(
			() => socketsOf(own.pid),
			(count) => count >= base + 3
		);
		await eventually(
			() => socketsOf(own.pid),
			(count) => count <= base,
			40_000
		);
		expect((await visitor.json('/api/operations?limit=1')).status).toBe(200);
		for (const socket of sockets) socket.destroy();
	}, 60_000);

	test('a body of ten megabytes is refused or cut, and is not kept', async () => {
		const own = await dashboardWith();
		const visitor = await signedIn(own, ADMIN);
		const before = await memoryOf(own.pid);
		for (let round = 0; round < 3; round++) {
			const answers = await Promise.all(Array.from({ length: 8 }, () => send(own, visitor, 10)));
			for (const answer of answers) expect(answer).toMatch(/^(HTTP\/1\.1 413|$)/);
		}
		// Of 240 MB; what passes through is garbage for a while.
		expect((await memoryOf(own.pid)) - before).toBeLessThan(120);
		expect((await visitor.json('/api/operations')).body.operations).toEqual([]);
	}, 40_000);

	test('a body is not unpacked, and one that is shorter than it says is no request', async () => {
		const gzip = await fetch(`${dashboard.url}/api/server/start`, {
			method: 'POST',
			headers: {
				cookie: bob.cookie,
				origin: dashboard.url,
				'content-type': 'application/json',
				'content-encoding': 'gzip'
			},
			body: Buffer.from('H4sIAAAAAAAAA6uuBQBDv6ajAgAAAA==', 'base64')
		});
		expect([400, 415]).toContain(gzip.status);
		const short = await bareSocket(
			dashboard.url,
			`POST /api/server/start HTTP/1.1\r\n${head()}Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{}`
		);
		short.end();
		await once(short.resume(), 'close');
		expect((await bob.json('/api/operations')).body.operations).toEqual([]);
	});
});

const many = (count: number, url: string, first = '') =>
	Promise.all(Array.from({ length: count }, () => bareSocket(url, first)));

/** Sends a chunked body of that many megabytes as fast as it is taken; what came back until the end. */
async function send(to: Dashboard, visitor: Visitor, megabytes: number): Promise<string> {
	const socket = await bareSocket(
		to.url,
		`POST /api/server/start HTTP/1.1\r\nHost: ${new URL(to.url).host}\r\nOrigin: ${to.url}\r\n` +
			`Cookie: ${visitor.cookie}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
	);
	let answer = '';
	socket.setEncoding('latin1').on('data', (text) => (answer += text));
	const closed = new Promise((resolve) => socket.once('close', resolve));
	const chunk = `${(65_536).toString(16)}\r\n${' '.repeat(65_536)}\r\n`;
	for (let sent = 0; sent < megabytes * 16 && !socket.destroyed && socket.writable; sent++)
		if (!socket.write(chunk)) {
			const drained = new Promise((resolve) => socket.once('drain', resolve));
			await Promise.race([drained, closed]);
		}
	socket.end('0\r\n\r\n');
	await closed;
	return answer;
}

async function largestScript(url: string): Promise<string> {
	const page = await (await fetch(`${url}/login`)).text();
	const found = [...page.matchAll(/"([^"]+\.js)"/g)].map(([, name]) => name!.replace(/^\./, ''));
	const sizes = await Promise.all(
		found.map(async (name) => ({
			name,
			size: (await (await fetch(url + name)).arrayBuffer()).byteLength
		}))
	);
	return sizes.sort((a, b) => b.size - a.size)[0]!.name;
}

describe.concurrent('secrets', () => {
	test('all that is kept is for its owner alone, also what was open before', async () => {
		const dashboard = await dashboardWith();
		const ada = await signedIn(dashboard);
		for (const autoRestartLimit of [5, 6])
			await ada.json('/api/settings', { autoRestartLimit }, 'PATCH');
		for (const deed of ['start', 'stop']) await finished(ada, (await started(ada, deed)).id);
		const home = path.dirname(dashboard.dataDir);
		expect(await openPlaces(dashboard.dataDir, path.join(home, 'logs'))).toEqual([]);

		await dashboard.kill();
		const loose = ['auth-secret', 'settings.json', 'sessions.json'];
		for (const name of loose) await chmod(path.join(dashboard.dataDir, name), 0o644);
		const next = await again(dashboard);
		await signedIn(next);
		expect(await openPlaces(dashboard.dataDir)).toEqual([]);
		for (const name of loose) expect(next.output()).toContain(name);
	}, 40_000);

	test('none is ever in a log, in the audit, on the terminal or in an answer', async () => {
		const password = { rcon: 'rcon-0xDECAFBAD', secret: 'kX9v-QpL2sT7wYb4Zr8nMd5Gh1Jc3Fe6' };
		const folder = await standInFolder('vanilla', {
			properties: {
				'enable-rcon': 'true',
				'server-port': 1,
				'rcon.port': 1,
				'rcon.password': password.rcon
			},
			behaviour: {
				log: [
					`[12:00:00] [main/ERROR]: Failed to start with {rcon.password=${password.rcon}}`,
					`[12:00:00] [main/ERROR]: secret ${password.secret} and ${SUPERADMIN.password}`
				],
				exitCode: 1
			}
		});
		opened.push(() => folder.remove());
		await folder.write('eula.txt', 'eula=true\n');
		const dashboard = await dashboardWith({
			SERVER_DIR: folder.dir,
			JAVA_HOME: folder.javaHome,
			PATH: folder.env['PATH']!,
			AUTH_SECRET: password.secret
		});
		const secrets = [password.rcon, password.secret, SUPERADMIN.password, ADMIN.password];
		const heard: string[] = [];
		const visitors = [
			new Visitor(dashboard),
			await signedIn(dashboard, ADMIN),
			await signedIn(dashboard)
		];

		const [stranger, bob, ada] = visitors as [Visitor, Visitor, Visitor];
		// As people do: the password in the wrong field, in the address, in words for others.
		await stranger.signIn({ username: SUPERADMIN.password, password: SUPERADMIN.username });
		await stranger.signIn({ username: SUPERADMIN.username, password: `${SUPERADMIN.password}!` });
		await stranger.fetch(`/login?password=${encodeURIComponent(SUPERADMIN.password)}`);
		await bob.json('/api/server/start', { message: '', password: ADMIN.password });
		const operation = await started(bob);
		expect((await finished(bob, operation.id)).state).toBe('failed');

		const targets = [
			...['/', '/login', '/admin', '/admin/activity', '/admin/settings', '/api/status'],
			...['/api/operations', `/api/operations/${operation.id}`, '/api/settings', '/api/audit'],
			...[`/admin/operations/${operation.id}`, '/api/openapi.json', '/admin/__data.json'],
			...['/healthz', '/nothing', `/api/operations/${operation.id}/events`]
		];
		for (const visitor of visitors)
			for (const target of targets) {
				const response = await visitor.fetch(target);
				heard.push(`${target} ${JSON.stringify([...response.headers])} ${await response.text()}`);
			}
		const log = path.join(path.dirname(dashboard.dataDir), 'logs/craftwarden.log');
		const files = [
			'audit.jsonl',
			'sessions.json',
			'server-state.json',
			`operations/${operation.id}.json`
		];
		for (const file of [log, ...files.map((name) => path.join(dashboard.dataDir, name))])
			heard.push(`${file} ${await readFile(file, 'utf8')}`);
		heard.push(`terminal ${dashboard.output()}`);
		const forms = secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]);
		const found = heard.flatMap((text) =>
			forms.filter((form) => text.includes(form)).map((form) => `${form} in ${text.slice(0, 60)}`)
		);
		expect(found).toEqual([]);
		// The game does not inherit them either.
		const [start] = await folder.starts();
		expect(Object.keys(start!.env)).toContain('JAVA_HOME');
		const inherited = JSON.stringify(start!.env);
		for (const secret of [password.secret, SUPERADMIN.password, ADMIN.password])
			expect(inherited).not.toContain(secret);
		await ada.form('/logout');
	}, 40_000);

	test('without the file of the secret nobody is signed in who was not before', async () => {
		const dashboard = await dashboardWith();
		const ada = await signedIn(dashboard);
		const { cookie } = ada;
		const file = path.join(dashboard.dataDir, 'auth-secret');
		const forged = cookie.replace(/(craftwarden_session=)([^;]+)/, (_, name, token: string) => {
			const [head, , ...rest] = token.split('.');
			return `${name}${[head, '', ...rest].join('.')}x`;
		});
		for (const content of [null, '', 'x'.repeat(64)]) {
			if (content === null) await rm(file);
			else await writeFile(file, content);
			for (const strange of ['', forged, 'craftwarden_session=null', 'craftwarden_session={}']) {
				const headers: Record<string, string> = strange ? { cookie: strange } : {};
				expect((await ask(dashboard.url, '/api/operations', { headers })).status).toBe(401);
				const page = await ask(dashboard.url, '/admin', { headers });
				expect([page.status, page.headers.location]).toEqual([
					303,
					expect.stringMatching(/^\/login\?/)
				]);
			}
		}
		await dashboard.kill();
		await rm(file);
		const next = await again(dashboard);
		expect((await ask(next.url, '/api/operations', { headers: { cookie } })).status).toBe(401);
		await signedIn(next);
	});
});

/** What others could look into: with the demo server's own folder goes only whoever may enter ours. */
async function openPlaces(...roots: string[]): Promise<string[]> {
	const found: string[] = [];
	for (const root of roots) {
		const below = (await readdir(root, { recursive: true })).filter(
			(name) => !/^demo\//.test(name)
		);
		for (const name of [root, ...below.map((one) => path.join(root, one))]) {
			const { mode } = await lstat(name);
			if (mode & 0o077 && path.basename(name) !== 'demo') found.push(`${name} ${mode.toString(8)}`);
		}
	}
	return found;
}
