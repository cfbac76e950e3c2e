import {
	chmod,
	mkdtemp,
	mkdir,
	readdir,
	readFile,
	rm,
	stat,
	symlink,
	writeFile
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EnvError, readEnv } from './env.ts';
import { VARIABLE_NAMES } from './values.ts';

let root: string;
let server: string;
let warnings: string[];
beforeEach(async () => {
	root = await mkdtemp(path.join(tmpdir(), 'craftwarden-env-'));
	server = path.join(root, 'server');
	await mkdir(server);
	await writeFile(path.join(root, 'package.json'), '{"version":"1.2.3"}');
	warnings = [];
});
afterEach(() => rm(root, { recursive: true, force: true }));

const PHC =
	'$scrypt$ln=15,r=8,p=1$8oT/BCEklu5O484ceY629w$El/P1tJ+LC4YgbhkZG30mj0ZMcEW/6TIsM4G0haKkWI';
const BASE = { HOME: '/home/me', PATH: '' };
const real = () => ({
	...BASE,
	SERVER_DIR: server,
	SUPERADMIN_USERNAME: 'Ada',
	SUPERADMIN_PASSWORD: 'correct horse battery'
});
const read = (source: Record<string, string | undefined>) =>
	readEnv(source, root, (line) => warnings.push(line));
const lines = (source: Record<string, string | undefined>) =>
	read(source).then(
		() => ['started'],
		(error) => {
			expect(error).toBeInstanceOf(EnvError);
			return (error as EnvError).message.split('\n');
		}
	);
const modeOf = async (file: string) => ((await stat(file)).mode & 0o777).toString(8);

describe('without any configuration', () => {
	test('it is a demo on this machine only, with the documented defaults', async () => {
		const env = await read(BASE);
		const dataDir = path.join(root, 'data');
		expect(env).toMatchObject({
			demo: true,
			host: '127.0.0.1',
			port: 3000,
			trustProxy: [],
			publicUrl: null,
			serverDir: path.join(dataDir, 'demo'),
			serverName: null,
			serverAddress: null,
			serverCommand: null,
			rcon: { host: null, port: null, password: null },
			bedrockPrefix: null,
			dataDir,
			backupDir: path.join(dataDir, 'backups'),
			snapshotDir: path.join(dataDir, 'snapshots'),
			logDir: '/home/me/logs/craftwarden',
			scheduler: 'embedded',
			verifyTimeoutMs: 30_000,
			streamsPerAccount: 64,
			version: '1.2.3'
		});
		expect(env.modrinthUrl).toBeNull();
		expect(env.envFile).toBeNull();
		expect(warnings).toEqual([]);
	});

	test('secret and accounts are created once, private, and reused at the next start', async () => {
		const first = await read(BASE);
		expect(first.authSecret.length).toBeGreaterThanOrEqual(32);
		expect(first.accounts.map(({ role }) => role)).toEqual(['superadmin', 'admin']);
		expect(first.newAccounts).toEqual(first.accounts);
		expect(first.accounts[0]!.password).toMatch(/^([a-z2-9]{4}-){3}[a-z2-9]{4}$/);
		const again = await read(BASE);
		expect(again.accounts).toEqual(first.accounts);
		expect(again.authSecret).toBe(first.authSecret);
		expect(again.newAccounts).toEqual([]);
		expect(first.installation).toMatch(/^[0-9a-f]{8}$/);
		await symlink(path.join(root, 'data'), path.join(root, 'same'));
		expect((await read({ ...BASE, DATA_DIR: 'same' })).installation).toBe(first.installation);
		expect((await read({ ...BASE, DATA_DIR: 'other' })).installation).not.toBe(first.installation);
		expect(await modeOf(path.join(root, 'data'))).toBe('700');
		for (const name of ['auth-secret', 'demo-credentials.json'])
			expect(await modeOf(path.join(root, 'data', name)), name).toBe('600');
	});

	test('configured accounts are used instead of generated ones, and never shown as new', async () => {
		const { HOME, PATH, SUPERADMIN_USERNAME, SUPERADMIN_PASSWORD } = real();
		const own = await read({ HOME, PATH, SUPERADMIN_USERNAME, SUPERADMIN_PASSWORD });
		expect(own.accounts).toEqual([
			{ name: 'Ada', password: 'correct horse battery', role: 'superadmin' }
		]);
		const mixed = await read({ ...BASE, ADMIN_USERNAME: 'bob', ADMIN_PASSWORD: 'lantern block' });
		expect(mixed.accounts.map(({ name }) => name)).toEqual(['superadmin', 'bob']);
		expect(mixed.newAccounts.map(({ name }) => name)).toEqual(['superadmin']);
	});

	test('damaged files are recreated and reported; those readable by others are made private', async () => {
		const first = await read(BASE);
		const dir = path.join(root, 'data');
		await chmod(path.join(dir, 'auth-secret'), 0o644);
		expect((await read(BASE)).authSecret).toBe(first.authSecret);
		expect(await modeOf(path.join(dir, 'auth-secret'))).toBe('600');
		expect(warnings).toEqual([expect.stringContaining('is private now')]);
		for (const damage of ['', 'short', '\0'.repeat(20)]) {
			await writeFile(path.join(dir, 'auth-secret'), damage);
			await writeFile(path.join(dir, 'demo-credentials.json'), damage);
			const env = await read(BASE);
			expect(env.authSecret).not.toBe(first.authSecret);
			expect(env.accounts).toHaveLength(2);
			expect(env.accounts).not.toEqual(first.accounts);
		}
		expect(warnings.filter((line) => line.includes('damaged'))).toHaveLength(6);
	});

	test('a symlink in place of the secret is not followed', async () => {
		await mkdir(path.join(root, 'data'));
		const elsewhere = path.join(root, 'elsewhere');
		await writeFile(elsewhere, 'x'.repeat(20) + 'abcdefghijklmnopqrstuvwxyz');
		await symlink(elsewhere, path.join(root, 'data', 'auth-secret'));
		expect((await read(BASE)).authSecret).not.toContain('xxx');
		expect(await readFile(elsewhere, 'utf8')).toContain('xxx');
	});
});

describe('with a server', () => {
	test.each([
		[{}, { kind: 'process' }],
		[{ RUNTIME: 'keeper' }, { kind: 'keeper', dir: '/run/craftwarden' }],
		[
			{ RUNTIME: 'keeper', KEEPER_DIR: '/shared' },
			{ kind: 'keeper', dir: '/shared' }
		],
		[
			{ RUNTIME: 'systemd', SYSTEMD_UNIT: 'mc@a-b.service' },
			{ kind: 'systemd', unit: 'mc@a-b.service', scope: 'system' }
		],
		[
			{ RUNTIME: 'systemd', SYSTEMD_UNIT: 'mc.service', SYSTEMD_SCOPE: 'user' },
			{ kind: 'systemd', unit: 'mc.service', scope: 'user' }
		]
	])('%o is run by %o', async (values, runtime) => {
		expect((await read({ ...real(), ...values })).runtime).toEqual(runtime);
	});

	test('no file in the game’s folder decides what runs it', async () => {
		const evil =
			'RUNTIME=systemd\nSYSTEMD_UNIT=evil.service\nKEEPER_DIR=/evil\nSERVER_COMMAND=["/evil"]\n';
		for (const name of ['.env', 'craftwarden.env', 'start.env'])
			await writeFile(path.join(server, name), evil);
		const unit = { RUNTIME: 'systemd', SYSTEMD_UNIT: 'mc.service' };
		expect((await read({ ...real(), ...unit })).runtime).toEqual({
			...{ kind: 'systemd', unit: 'mc.service', scope: 'system' }
		});
		expect((await read({ ...real(), RUNTIME: 'keeper' })).runtime).toEqual({
			...{ kind: 'keeper', dir: '/run/craftwarden' }
		});
		expect(await read(real())).toMatchObject({
			...{ runtime: { kind: 'process' }, serverCommand: null }
		});
	});

	test('its settings are read and trimmed, and relative paths start at the project', async () => {
		const env = await read({
			...real(),
			SUPERADMIN_PASSWORD: ` ${PHC}\n`,
			ADMIN_USERNAME: 'bob\n',
			ADMIN_PASSWORD: 'staple lantern',
			AUTH_SECRET: 'abcdefghijklmnopqrstuvwxyz0123456789',
			HOST: '[::1]',
			PORT: '0',
			TRUST_PROXY: '127.0.0.1, 10.0.0.0/8 2001:db8::/32',
			PUBLIC_URL: 'https://mc.example.org:8443/',
			SERVER_NAME: ' Survival ',
			SERVER_ADDRESS: 'play.example.org',
			SERVER_COMMAND: '["java", "-jar", "server.jar"]',
			RCON_HOST: 'localhost',
			RCON_PORT: '25576',
			RCON_PASSWORD: 'secret words',
			BEDROCK_PREFIX: '.',
			DATA_DIR: 'state',
			BACKUP_DIR: '~/backups',
			SNAPSHOT_DIR: '/mnt/snapshots',
			LOG_DIR: './logs',
			SCHEDULER: 'embedded',
			MODRINTH_URL: 'http://127.0.0.1:8080/v2',
			VERIFY_TIMEOUT_SECONDS: '60',
			STREAMS_PER_ACCOUNT: '3'
		});
		expect(env).toMatchObject({
			demo: false,
			host: '::1',
			port: 0,
			trustProxy: ['127.0.0.1', '10.0.0.0/8', '2001:db8::/32'],
			accounts: [
				{ name: 'Ada', password: PHC, role: 'superadmin' },
				{ name: 'bob', password: 'staple lantern', role: 'admin' }
			],
			newAccounts: [],
			authSecret: 'abcdefghijklmnopqrstuvwxyz0123456789',
			serverDir: server,
			serverName: 'Survival',
			serverAddress: 'play.example.org',
			serverCommand: ['java', '-jar', 'server.jar'],
			rcon: { host: 'localhost', port: 25576, password: 'secret words' },
			bedrockPrefix: '.',
			dataDir: path.join(root, 'state'),
			backupDir: '/home/me/backups',
			snapshotDir: '/mnt/snapshots',
			logDir: path.join(root, 'logs'),
			scheduler: 'embedded',
			verifyTimeoutMs: 60_000,
			streamsPerAccount: 3
		});
		expect(env.publicUrl?.origin).toBe('https://mc.example.org:8443');
		expect(env.modrinthUrl?.port).toBe('8080');
	});

	test('it listens on all interfaces, and an empty value means the default', async () => {
		const env = await read({ ...real(), PORT: '', RCON_PASSWORD: ' ', SERVER_NAME: '' });
		expect(['0.0.0.0', '::']).toContain(env.host);
		expect(env).toMatchObject({ port: 3000, serverName: null, rcon: { password: null } });
	});

	test('its mods have a quarter of an hour to load', async () => {
		expect((await read(real())).verifyTimeoutMs).toBe(900_000);
	});

	test('the crontab is used when the command exists', async () => {
		const bin = path.join(root, 'bin');
		await mkdir(bin);
		await writeFile(path.join(bin, 'crontab'), '#!/bin/sh\n', { mode: 0o755 });
		expect((await read({ ...real(), PATH: bin })).scheduler).toBe('crontab');
		expect((await read({ ...real(), PATH: '/nowhere' })).scheduler).toBe('embedded');
		const demo = await read({ ...BASE, PATH: bin, SCHEDULER: 'crontab' });
		expect(demo.scheduler).toBe('embedded');
	});
});

describe('the file .env', () => {
	test('is read from the project, and the real environment wins over it', async () => {
		await writeFile(
			path.join(root, '.env'),
			`# comment\nPORT=4000\nexport SERVER_NAME='Two words'\nADMIN_USERNAME=bob\nADMIN_PASSWORD='${PHC}'\n`,
			{ mode: 0o600 }
		);
		const env = await read({ ...real(), PORT: '5000' });
		expect(env).toMatchObject({ port: 5000, serverName: 'Two words' });
		expect(env.accounts[1]).toEqual({ name: 'bob', password: PHC, role: 'admin' });
		expect(warnings).toEqual([]);
	});

	test('with secrets in it and readable by others causes a warning', async () => {
		await writeFile(path.join(root, '.env'), 'RCON_PASSWORD=x\n', { mode: 0o644 });
		await read(BASE);
		expect(warnings).toEqual([expect.stringContaining('chmod 600')]);
	});

	test('that is named and does not exist stops the start, before there is a demo', async () => {
		const nowhere = path.join(root, 'nowhere.env');
		expect(await lines({ ...BASE, ENV_FILE: nowhere })).toEqual([
			`ENV_FILE: ${nowhere} does not exist. Correct the path, or unset it.`
		]);
		expect(await readdir(root)).not.toContain('data');
	});

	test('a value that is cut off at a # in the middle of a word causes a warning', async () => {
		const cut = ['ADMIN_PASSWORD=long enough#42', ' export SERVER_NAME = a b#c # d'];
		const whole = ["SUPERADMIN_PASSWORD='with # in it'", 'PORT=4000 # ours', '#HOST=a#b', 'TZ=#'];
		await writeFile(path.join(root, '.env'), [...cut, ...whole, ''].join('\n'), { mode: 0o600 });
		const env = await read({ ...BASE, SUPERADMIN_USERNAME: 'ada', ADMIN_USERNAME: 'bob' });
		expect(env).toMatchObject({ port: 4000, serverName: 'a b' });
		expect(env.accounts.map(({ password }) => password)).toEqual(['with # in it', 'long enough']);
		const words = (name: string) =>
			`${name} in .env ends before its #. If that belongs to the value, put it in 'single quotes'.`;
		expect(warnings).toEqual([words('ADMIN_PASSWORD'), words('SERVER_NAME')]);
	});

	test('that cannot be read stops the start', async () => {
		await mkdir(path.join(root, '.env'));
		expect(await lines(BASE)).toEqual([expect.stringMatching(/^\.env: .*EISDIR/)]);
	});

	test('a name that was probably meant for us only causes a warning', async () => {
		await read({ ...BASE, SERVER_DIRECTORY: '/x', ADMIN_USER: 'x', OTHER: 'x' });
		expect(warnings).toEqual([
			expect.stringMatching(/^SERVER_DIRECTORY is not one/),
			'ADMIN_USER is not known. Did you mean ADMIN_USERNAME?'
		]);
	});

	test('a name that is like one of ours is told with the one that was meant, and stops nothing', async () => {
		const file = 'SERVERDIR=/x\nSUPERADMIN_PASWORD=x\nport=1\nPOTR=1\nUNRELATED=x\nHOME_DIR=x\n';
		await writeFile(path.join(root, '.env'), file, { mode: 0o600 });
		const env = await read({ ...BASE, SERVER_DIRS: '/x', POR: 'x' });
		expect(env).toMatchObject({ demo: true, port: 3000, envFile: path.join(root, '.env') });
		expect(warnings).toEqual([
			'SERVERDIR in .env is not known. Did you mean SERVER_DIR?',
			'SUPERADMIN_PASWORD in .env is not known. Did you mean SUPERADMIN_PASSWORD?',
			'port in .env is not known. Did you mean PORT?',
			// The real environment has many names that are not meant for us, as POR.
			'SERVER_DIRS is not known. Did you mean SERVER_DIR?'
		]);
	});

	test('the example names every variable, in order, and is itself harmless', async () => {
		const example = await readFile(new URL('../../../../.env.example', import.meta.url), 'utf8');
		const named = [...example.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name);
		expect(named).toEqual([...VARIABLE_NAMES, 'ANALYZE']);
		await writeFile(path.join(root, '.env'), example, { mode: 0o600 });
		expect((await read(BASE)).demo).toBe(true);
	});
});

describe('a mistake stops the start with one line that names the variable', () => {
	const long = (n: number) => 'abcdefghijklmnop'.repeat(n);
	test.each<[string, Record<string, string>, RegExp]>([
		['empty secret', { AUTH_SECRET: '' }, /^AUTH_SECRET: is empty/],
		['short secret', { AUTH_SECRET: 'abcdefghijklmnopqrstuvwxyz' }, /^AUTH_SECRET: .*32/],
		['one letter', { AUTH_SECRET: 'x'.repeat(40) }, /^AUTH_SECRET: is a placeholder/],
		[
			'placeholder',
			{ AUTH_SECRET: 'please-change-me-please-change-me-1' },
			/^AUTH_SECRET: is a pl/
		],
		['empty password', { SUPERADMIN_PASSWORD: '  ' }, /^SUPERADMIN_PASSWORD: is empty/],
		['short password', { SUPERADMIN_PASSWORD: 'admin' }, /^SUPERADMIN_PASSWORD: is shorter/],
		['default password', { SUPERADMIN_PASSWORD: 'Password' }, /^SUPERADMIN_PASSWORD: .*anybody/],
		['default password', { SUPERADMIN_PASSWORD: 'ChangeMe' }, /^SUPERADMIN_PASSWORD: .*anybody/],
		['same letter', { SUPERADMIN_PASSWORD: 'aaaaaaaaaa' }, /^SUPERADMIN_PASSWORD: .*anybody/],
		['huge password', { SUPERADMIN_PASSWORD: long(100) }, /^SUPERADMIN_PASSWORD: is longer/],
		['broken hash', { SUPERADMIN_PASSWORD: '$scrypt$ln=15' }, /^SUPERADMIN_PASSWORD: looks like/],
		['bcrypt', { SUPERADMIN_PASSWORD: '$2b$10$abcdefgh' }, /^SUPERADMIN_PASSWORD: .*argon2id/],
		[
			'greedy hash',
			{ SUPERADMIN_PASSWORD: PHC.replace('15', '25') },
			/^SUPERADMIN_PASSWORD: .*256/
		],
		['invisible name', { SUPERADMIN_USERNAME: 'a\u200eda' }, /^SUPERADMIN_USERNAME: .*invisible/],
		['half an account', { ADMIN_USERNAME: 'bob' }, /^ADMIN_PASSWORD: is missing/],
		['half an account', { ADMIN_PASSWORD: 'lantern block' }, /^ADMIN_USERNAME: is missing/],
		['host', { HOST: 'a b' }, /^HOST: must be/],
		['contact', { PUSH_CONTACT: 'you@example.org' }, /^PUSH_CONTACT: must be mailto:/],
		['contact', { PUSH_CONTACT: 'mailto:me@localhost' }, /^PUSH_CONTACT: must be mailto:/],
		['port', { PORT: '65536' }, /^PORT: must be a whole number/],
		['port', { PORT: '3000x' }, /^PORT: must be a whole number/],
		['port', { PORT: '1e3' }, /^PORT: must be a whole number/],
		['proxy', { TRUST_PROXY: '10.0.0.0/33' }, /^TRUST_PROXY: "10.0.0.0\/33"/],
		['proxy', { TRUST_PROXY: '127.0.0.1,proxy.lan' }, /^TRUST_PROXY: "proxy.lan"/],
		['proxy', { TRUST_PROXY: '1' }, /^TRUST_PROXY: "1"/],
		['url', { PUBLIC_URL: 'mc.example.org' }, /^PUBLIC_URL: must be/],
		['url', { PUBLIC_URL: 'ftp://mc.example.org' }, /^PUBLIC_URL: must be/],
		['url', { PUBLIC_URL: 'https://mc.example.org/path' }, /^PUBLIC_URL: must be/],
		['url', { PUBLIC_URL: 'https://me:pw@mc.example.org' }, /^PUBLIC_URL: must be/],
		['url', { MODRINTH_URL: 'file:///etc/passwd' }, /^MODRINTH_URL: must be/],
		['folder', { SERVER_DIR: '/nowhere/at/all' }, /^SERVER_DIR: .* does not exist/],
		['folder', { SERVER_DIR: '' }, /^SERVER_DIR: is empty/],
		['folder', { SERVER_DIR: '/etc/hostname' }, /^SERVER_DIR: .* is not a folder/],
		['folder', { SERVER_DIR: '/nowhere' }, /^SERVER_DIR: .* does not exist\. .*or an empty one/],
		['backups', { BACKUP_DIR: '/etc/hostname' }, /^BACKUP_DIR: .* is not a folder/],
		['snapshots', { SNAPSHOT_DIR: '/etc/hostname/x' }, /^SNAPSHOT_DIR: .* is not a folder/],
		['logs', { LOG_DIR: '/etc/hostname' }, /^LOG_DIR: .* is not a folder/],
		['command', { SERVER_COMMAND: 'java -jar server.jar' }, /^SERVER_COMMAND: must be a JSON/],
		['command', { SERVER_COMMAND: '["java", ""]' }, /^SERVER_COMMAND: must be a JSON/],
		['command', { SERVER_COMMAND: '["java", 1]' }, /^SERVER_COMMAND: must be a JSON/],
		['command', { SERVER_COMMAND: '[]' }, /^SERVER_COMMAND: must be a JSON/],
		['command', { SERVER_COMMAND: '["a\\u0000b"]' }, /^SERVER_COMMAND: must be a JSON/],
		['runtime', { RUNTIME: 'docker' }, /^RUNTIME: must be process, keeper or systemd/],
		['keeper', { RUNTIME: 'keeper', KEEPER_DIR: 'x' }, /^KEEPER_DIR: must be an absolute/],
		['unit', { RUNTIME: 'systemd' }, /^SYSTEMD_UNIT: RUNTIME=systemd needs/],
		...['--now.service', 'mc', 'mc.socket', 'a b.service', '../x.service', '@.service'].map(
			(unit): [string, Record<string, string>, RegExp] => [
				'unit',
				{ SYSTEMD_UNIT: unit },
				/^SYSTEMD_UNIT: must be the name/
			]
		),
		['scope', { SYSTEMD_SCOPE: 'all' }, /^SYSTEMD_SCOPE: must be/],
		[
			'runtime',
			{ RUNTIME: 'keeper', SERVER_COMMAND: '["java"]' },
			/^SERVER_COMMAND: is not used with RUNTIME=keeper/
		],
		['name', { SERVER_NAME: 'a\nb' }, /^SERVER_NAME: .*one line/],
		['address', { SERVER_ADDRESS: 'a b' }, /^SERVER_ADDRESS: must not/],
		['rcon', { RCON_PORT: '0' }, /^RCON_PORT: must be/],
		['prefix', { BEDROCK_PREFIX: '@' }, /^BEDROCK_PREFIX: must not/],
		['scheduler', { SCHEDULER: 'cron' }, /^SCHEDULER: must be crontab or embedded/],
		['scheduler', { SCHEDULER: 'crontab' }, /^SCHEDULER: there is no crontab/],
		['time', { VERIFY_TIMEOUT_SECONDS: '0' }, /^VERIFY_TIMEOUT_SECONDS: must be/],
		['streams', { STREAMS_PER_ACCOUNT: '-1' }, /^STREAMS_PER_ACCOUNT: must be/],
		['data', { DATA_DIR: '/dev/null/x' }, /^DATA_DIR: .* cannot be used \(ENOTDIR\)/]
	])('%s %j', async (_, wrong, line) => {
		expect(await lines({ ...real(), ...wrong })).toEqual([expect.stringMatching(line)]);
	});

	test('the superadmin is required with a server', async () => {
		expect(await lines({ ...BASE, SERVER_DIR: server })).toEqual([
			'SUPERADMIN_USERNAME: is required with SERVER_DIR. Add it to .env.',
			'SUPERADMIN_PASSWORD: is required with SERVER_DIR. Add it to .env.'
		]);
	});

	test.each(['ada', ' ADA ', 'Ａｄａ'])('%j is the same name as Ada', async (ADMIN_USERNAME) => {
		expect(await lines({ ...real(), ADMIN_USERNAME, ADMIN_PASSWORD: 'lantern block' })).toEqual([
			expect.stringMatching(/^ADMIN_USERNAME: is the same name/)
		]);
	});

	test('the name itself is not accepted as a password', async () => {
		const wrong = { SUPERADMIN_USERNAME: 'Adalbert', SUPERADMIN_PASSWORD: 'adalbert' };
		expect(await lines({ ...real(), ...wrong })).toEqual([
			expect.stringMatching(/^SUPERADMIN_PASSWORD: is the user name/)
		]);
	});

	test('several mistakes are reported together, no value is repeated, and nothing is created', async () => {
		const secret = 'hunter2';
		const found = await lines({ ...real(), PORT: 'x', HOST: '!', SUPERADMIN_PASSWORD: secret });
		expect(found.map((line) => line.split(':')[0])).toEqual([
			'SUPERADMIN_PASSWORD',
			'HOST',
			'PORT'
		]);
		expect(found.join()).not.toContain(secret);
		await expect(stat(path.join(root, 'data'))).rejects.toThrow('ENOENT');
	});
});
