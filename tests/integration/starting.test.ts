import { once } from 'node:events';
import { mkdir, readFile, readlink, realpath, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventually, processesIn, signedIn } from '../harness.ts';
import { reaches } from './kit/actions.ts';
import { again, dashboardWith, home, opened, program } from './kit/opened.ts';
import { install, soundEnv } from './kit/program.ts';

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
	test('a mistake in the environment is one line that begins with the variable', async () => {
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

	test('the demo says how to log in, with new passwords and with known ones', async () => {
		const dir = await home();
		const own = soundEnv(dir);
		const none = Object.fromEntries(
			Object.entries(own).filter(([name]) => !/_(USERNAME|PASSWORD)$/.test(name))
		);
		const words = async (env: Record<string, string>) => {
			const started = program(dir, env);
			expect(await started.listening).not.toBeNull();
			await eventually(
				async () => started.output(),
				(output) => output.includes('Ctrl+C')
			);
			started.kill('SIGTERM');
			await started.ended;
			return started.output();
		};
		const first = await words(none);
		expect(first).toContain('in a browser on this machine and log in as');
		expect(first).toMatch(/HOST=0\.0\.0\.0 npm start .* ssh -L (\d+):localhost:\1 user@/);
		expect(await words({ ...none, HOST: '0.0.0.0' })).not.toContain('ssh -L');
		expect(first).toMatch(/superadmin +password [\w-]+ +\(may do everything\)/);
		expect(first).toMatch(/admin +password [\w-]+ +\(may do less\)/);
		expect(await words(none)).toMatch(/superadmin, with the password in .+credentials\.json\n/);
		expect(await words(own)).toMatch(/, with the password that you have set\n/);
		expect(first).toContain('cp .env.example .env');
		// Whoever has mistyped a name there must not be told to overwrite it.
		const file = path.join(dir, '.env');
		await writeFile(file, 'SERVERDIR=/srv/minecraft\n', { mode: 0o600 });
		const mistyped = await words({ ...own, ENV_FILE: file });
		expect(mistyped).toContain('SERVERDIR in .env is not known. Did you mean SERVER_DIR?\n');
		expect(mistyped).toContain(`in ${file}, and start again.`);
		expect(mistyped).not.toContain('cp .env.example');
	});

	test('one’s own server says who may log in, and what it listens on', async () => {
		const dir = await home();
		const server = path.join(dir, 'server');
		await mkdir(server);
		const started = program(dir, { ...soundEnv(dir), SERVER_DIR: server, HOST: '0.0.0.0' });
		expect(await started.listening).not.toBeNull();
		await eventually(
			async () => started.output(),
			(output) => output.includes('On all addresses of this machine. Log in as ada; ')
		);
		expect(started.output()).not.toContain('demo');
	});

	test('missing variables are one line each, and nothing half works', async () => {
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
		expect(started.errors()).toEqual([
			'craftwarden: SERVER_DRI is not known. Did you mean SERVER_DIR?'
		]);
		await signedIn({ url: url! });
	});

	test('a .env that cannot be read is named', async () => {
		const root = await home();
		await install(root);
		await mkdir(path.join(root, '.env'));
		const started = program(root, soundEnv(root), { root });
		expect(await started.ended).toEqual({ code: 1, signal: null });
		expect(started.errors()).toEqual([expect.stringMatching(/^craftwarden: \.env: .+\.$/)]);
	});

	test('`scripts/start` sets up and becomes the dashboard: one process, on the Node that setup brought', async () => {
		const root = await home();
		await install(root);
		// The machine's own Node stands for an old one: it runs the setup, but nothing after it.
		const bin = path.join(root, 'machine');
		await mkdir(bin);
		const old = `#!/bin/sh\n[ "$1" = scripts/setup.mjs ] && exec '${process.execPath}' "$@"\nexit 9\n`;
		await writeFile(path.join(bin, 'node'), old, { mode: 0o755 });
		const env = { ...soundEnv(root), PATH: `${bin}:/usr/bin:/bin` };
		const started = program(await home(), env, { argv: [path.join(root, 'scripts/start')] });
		const url = await started.listening;
		expect(url, started.output()).not.toBeNull();
		expect((await fetch(`${url}/healthz`)).status).toBe(200);
		expect(await readlink(`/proc/${started.pid}/exe`)).toBe(await realpath(process.execPath));
		const itsEnvironment = await readFile(`/proc/${started.pid}/environ`, 'utf8');
		// The C library ends each of them where the colon was.
		expect(itsEnvironment.replaceAll('\0', ':')).toContain(
			':GLIBC_TUNABLES=glibc.malloc.arena_max=1:glibc.malloc.mmap_threshold=131072:'
		);
		started.kill('SIGTERM');
		expect(await started.ended).toEqual({ code: 0, signal: null });
	});

	test('`scripts/start` starts nothing when the setup fails', async () => {
		const root = await home();
		await install(root);
		await writeFile(path.join(root, 'scripts/setup.mjs'), 'process.exit(3);');
		const started = program(root, soundEnv(root), { argv: [path.join(root, 'scripts/start')] });
		expect(await started.ended).toEqual({ code: 3, signal: null });
		expect(started.output()).toBe('');
	});

	test('`scripts/start` says what to install where there is no Node', async () => {
		const root = await home();
		await install(root);
		const env = { ...soundEnv(root), PATH: root };
		const argv = ['/bin/sh', path.join(root, 'scripts/start')];
		await symlink('/usr/bin/dirname', path.join(root, 'dirname'));
		const started = program(root, env, { argv });
		expect(await started.ended).toEqual({ code: 1, signal: null });
		expect(started.errors()).toEqual([expect.stringMatching(/^craftwarden: .*Install Node 20/)]);
	});

	test('a port in use is reported, and no process is left', async () => {
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
