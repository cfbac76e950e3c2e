import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { jar, levelDat, zip } from '../../../../../tests/fakes/mods/jars.ts';
import { standInFolder, type FolderKind } from '../../../../../tests/fakes/game/server-folders.ts';
import { exists } from '#core/files';
import {
	createInstallationReader,
	readInstallation,
	type InstallationOverrides
} from './installation.ts';

const NONE: InstallationOverrides = {
	command: null,
	rcon: { host: null, port: null, password: null },
	javaHome: null
};

const open: { remove(): Promise<void> }[] = [];
afterEach(async () => {
	await Promise.all(open.splice(0).map((folder) => folder.remove()));
});

async function setup(kind: FolderKind | null, properties?: Record<string, string | number>) {
	const folder = await standInFolder(kind, { properties });
	open.push(folder);
	const read = (overrides: Partial<InstallationOverrides> = {}) =>
		readInstallation(folder.dir, { ...NONE, ...overrides });
	return { folder, read };
}

describe('the game version when no jar reveals it', () => {
	const unknown = async () => {
		const made = await setup(null);
		await made.folder.write('paper.jar', 'nothing');
		return made;
	};

	test.each([
		[
			'a log',
			'logs/latest.log',
			'[10:00:00] [Server thread/INFO]: Starting minecraft server version 1.19\n',
			'1.19'
		],
		[
			'a log of Forge in Korean bytes',
			'logs/latest.log',
			Buffer.from(
				'[212\xbf\xf92025 12:24:31.148] [main/INFO] [cpw.mods.modlauncher.Launcher/MODLAUNCHER]: ModLauncher running: args [--launchTarget, forgeserver, --fml.forgeVersion, 47.2.4, --fml.mcVersion, 1.20.1, --x]\n',
				'latin1'
			),
			'1.20.1'
		],
		['the folder of the bundler', 'versions/1.20.4/server-1.20.4.jar', 'x', '1.20.4'],
		['the world', 'world/level.dat', levelDat('1.18.2'), '1.18.2']
	])('%s', async (_, file, content, gameVersion) => {
		const { folder, read } = await unknown();
		await folder.write(file, content);
		expect(await read()).toMatchObject({ gameVersion, software: 'Paper' });
	});

	test('loader and version from the log, when the server is only known through SERVER_COMMAND', async () => {
		const { folder, read } = await setup(null);
		const line = '[17:23:40] [main/INFO]: Loading Minecraft 1.20.1 with Quilt Loader 0.28.1\n';
		await folder.write('logs/latest.log', line);
		expect(
			await read({ command: { argv: ['./start'], how: 'SERVER_COMMAND is set.' } })
		).toMatchObject({
			loader: 'quilt',
			software: 'Quilt 0.28.1',
			gameVersion: '1.20.1'
		});
	});

	test('what players write is never mistaken for it', async () => {
		const { folder, read } = await unknown();
		const said = [
			'<Steve> [10:00:00] [main/INFO]: Starting minecraft server version 6.6.6',
			'<Steve> x]: Starting minecraft server version 6.6.6',
			'[Rcon] Starting minecraft server version 6.6.6',
			'* Steve /INFO]: Starting minecraft server version 6.6.6'
		];
		const lines = said.map((text) => `[10:00:00] [Server thread/INFO]: ${text}\n`);
		await folder.write('logs/latest.log', lines.join(''));
		expect((await read()).gameVersion).toBeNull();
	});

	test('between two installed versions it does not guess', async () => {
		const { folder, read } = await unknown();
		await folder.write('versions/1.20.4/x.jar', '');
		await folder.write('versions/1.21/x.jar', '');
		expect((await read()).gameVersion).toBeNull();
	});

	test.each([
		['torn', levelDat('1.18.2').subarray(0, 60)],
		['empty', Buffer.alloc(0)],
		['no NBT', Buffer.from('hello')],
		['endless lists', Buffer.from([10, 0, 0, 9, 0, 1, 97, 0, 127, 255, 255, 255, 9, 0, 1, 98])],
		[
			'nested without end',
			Buffer.concat([Buffer.from([10, 0, 0]), Buffer.alloc(90_000, Buffer.from([10, 0, 0]))])
		],
		['a version that is none', levelDat('<b>1.2</b>')]
	])('a level.dat that is %s reveals nothing', async (_, content) => {
		const { folder, read } = await unknown();
		await folder.write('world/level.dat', content);
		expect((await read()).gameVersion).toBeNull();
	});
});

describe('server.properties', () => {
	test('addresses, limits and the message of the day', async () => {
		const { read } = await setup('vanilla', {
			'server-ip': '10.0.0.5',
			'server-port': 25566,
			'enable-status': 'false',
			'max-players': 42,
			motd: '\\u00A7aHello \\u00a7lworld'
		});
		expect(await read()).toMatchObject({
			game: { host: '10.0.0.5', port: 25566, statusEnabled: false },
			rcon: { host: '10.0.0.5' },
			maxPlayers: 42,
			motd: 'Hello world'
		});
	});

	test.each(['', '0.0.0.0', '::', ' ', 'a b', 'x\\u0000'])(
		'server-ip %j is reached on this machine',
		async (ip) => {
			const { read } = await setup('vanilla', { 'server-ip': ip });
			expect(await read()).toMatchObject({
				game: { host: '127.0.0.1' },
				rcon: { host: '127.0.0.1' }
			});
		}
	);

	test.each(['0', '-1', '65536', 'abc', '1e3', ''])('port %j is invalid', async (port) => {
		const { read } = await setup('vanilla', {
			'server-port': port,
			'enable-rcon': 'true',
			'rcon.password': 'secret',
			'rcon.port': port
		});
		expect(await read()).toMatchObject({ game: { port: 25565 }, rcon: { enabled: false } });
	});

	test('RCON is enabled only with a password', async () => {
		const on = { 'enable-rcon': 'TRUE', 'rcon.port': 25580 };
		const { folder, read } = await setup('vanilla', { ...on, 'rcon.password': 'se\\=cret' });
		expect((await read()).rcon).toEqual({
			enabled: true,
			host: '127.0.0.1',
			port: 25580,
			password: 'se=cret'
		});
		await folder.write('server.properties', 'enable-rcon=true\nrcon.password=\n');
		expect((await read()).rcon).toMatchObject({ enabled: false, port: 25575, password: null });
		await folder.write('server.properties', 'enable-rcon=false\nrcon.password=secret\n');
		expect((await read()).rcon).toMatchObject({ enabled: false });
	});

	test('the environment overrides host, port and password, not whether it is enabled', async () => {
		const rcon = { host: 'mc', port: 7, password: 'other' };
		const { folder, read } = await setup('vanilla', { 'enable-rcon': 'true' });
		expect((await read({ rcon })).rcon).toEqual({ enabled: true, ...rcon });
		await folder.write('server.properties', 'enable-rcon=false\n');
		expect((await read({ rcon })).rcon).toEqual({ enabled: false, ...rcon });
	});

	test.each<[string, string | Buffer]>([
		['binary rubbish', Buffer.from([0, 255, 254, 1, 92, 117, 10, 61])],
		['hostile keys', '__proto__=1\nconstructor=2\ntoString=3\nmotd\n'],
		['far too large', Buffer.alloc(1 << 20, 'a')]
	])('%s is treated as missing', async (_, content) => {
		const { folder, read } = await setup('vanilla');
		await folder.write('server.properties', content);
		expect(await read()).toMatchObject({ motd: null, maxPlayers: null, software: 'Vanilla' });
	});
});

describe('the world folder', () => {
	test('a name with sub-folders is kept, even before it exists', async () => {
		const { folder, read } = await setup('vanilla', { 'level-name': 'worlds/./my world/' });
		expect(await read()).toMatchObject({
			worldDir: path.join(folder.dir, 'worlds/my world'),
			problem: null
		});
	});

	test('a link inside the folder is followed', async () => {
		const { folder, read } = await setup('vanilla', { 'level-name': 'current' });
		await mkdir(path.join(folder.dir, 'worlds'));
		await symlink('worlds', path.join(folder.dir, 'current'));
		expect(await read()).toMatchObject({
			worldDir: path.join(folder.dir, 'current'),
			problem: null
		});
	});

	test.each(['..', '../other', 'a/../../b', '/etc', '.', './', 'x\\u0000y'])(
		'level-name %j is refused, and everything else works',
		async (name) => {
			const { folder, read } = await setup('vanilla', { 'level-name': name });
			expect(await read()).toMatchObject({
				worldDir: path.join(folder.dir, '.no-world'),
				software: 'Vanilla',
				command: { argv: ['java', '-jar', 'server.jar', 'nogui'] },
				problem: expect.stringMatching(/^level-name in server\.properties leads out/)
			});
		}
	);

	test('a refused world is not replaced by another one in the folder', async () => {
		const { folder, read } = await setup('vanilla', { 'level-name': 'world' });
		await symlink('/tmp', path.join(folder.dir, 'world'));
		expect(await exists((await read()).worldDir)).toBe(false);
	});

	test.each([
		['out of it', '/tmp', ''],
		['to nothing', 'nowhere', ''],
		['to itself', 'current', ''],
		['out of it, on the way', '/tmp', '/deeper/world']
	])('a link that leads %s is refused', async (_, target, below) => {
		const { folder, read } = await setup('vanilla', { 'level-name': `current${below}` });
		await symlink(target, path.join(folder.dir, 'current'));
		expect(await read()).toMatchObject({
			worldDir: path.join(folder.dir, '.no-world'),
			problem: expect.stringMatching(/leads out/)
		});
	});
});

describe('odd folders', () => {
	test.each([
		['does not exist', async (dir: string) => rm(dir, { recursive: true })],
		[
			'is not a folder',
			async (dir: string) => {
				await rm(dir, { recursive: true });
				await writeFile(dir, '');
			}
		]
	])('one that %s is an error with a clear message', async (words, change) => {
		const { folder, read } = await setup('vanilla');
		await change(folder.dir);
		await expect(read()).rejects.toMatchObject({
			name: 'AppError',
			message: expect.stringContaining(words)
		});
	});

	test.skipIf(process.getuid?.() === 0)('one that may not be read is an error', async () => {
		const { folder, read } = await setup('vanilla');
		await chmod(folder.dir, 0o000);
		await expect(read()).rejects.toThrow(/cannot be read/);
		await chmod(folder.dir, 0o700);
	});

	test.skipIf(process.getuid?.() === 0)('settings that may not be read are said', async () => {
		const { folder, read } = await setup('vanilla', { motd: 'x' });
		await chmod(path.join(folder.dir, 'server.properties'), 0o000);
		expect((await read()).problem).toMatch(/server\.properties cannot be read/);
	});

	test('files that are not regular files do not hang or throw', async () => {
		const { folder, read } = await setup('vanilla');
		const fifos = ['server.properties', 'start.sh', 'user_jvm_args.txt', 'paper-1.21.8-60.jar'];
		await mkdir(path.join(folder.dir, 'logs'));
		for (const name of [...fifos, 'logs/latest.log'])
			await promisify(execFile)('mkfifo', [path.join(folder.dir, name)]);
		await mkdir(path.join(folder.dir, 'run.sh'));
		await mkdir(path.join(folder.dir, 'forge-1.16.5-36.2.39.jar'));
		expect(await read()).toMatchObject({ software: 'Vanilla', motd: null });
	});

	test.each([
		['empty', Buffer.alloc(0)],
		['cut', zip({ 'version.json': '{"id":"1.20.4"}' }).subarray(0, -30)],
		['no zip', Buffer.alloc(100_000, 'PK\x05\x06')],
		[
			'lying about its directory',
			Buffer.concat([zip({ a: 'b' }).subarray(0, -12), Buffer.alloc(12, 0xff)])
		],
		['with a version.json that is none', zip({ 'version.json': '[1' })],
		['with a version that is none', zip({ 'version.json': '{"id":"<script>","name":7}' })],
		['with a huge manifest', zip({ 'META-INF/MANIFEST.MF': 'a'.repeat(100_000) })]
	])('a jar that is %s reveals nothing', async (_, content) => {
		const { folder, read } = await setup(null);
		await folder.write('server.jar', content);
		expect(await read()).toMatchObject({ loader: 'vanilla', gameVersion: null });
	});
});

describe('the reader', () => {
	/** As if nothing had been written for an hour: what changed just now is never remembered. */
	async function settle(dir: string) {
		const before = new Date(Date.now() - 3_600_000);
		const names = await readdir(dir, { recursive: true });
		for (const name of ['.', ...names]) await utimes(path.join(dir, name), before, before);
	}

	test('answers from memory while nothing changes, and notices changes', async () => {
		const { folder } = await setup('fabric', { motd: 'one' });
		await folder.write('logs/latest.log', 'x'.repeat(70_000));
		await settle(folder.dir);
		const reader = createInstallationReader(folder.dir, NONE);
		const first = await reader.read();
		expect(await reader.read()).toBe(first);

		await folder.write('world/region/r.0.0.mca', 'new chunks');
		await settle(folder.dir);
		const withWorld = await reader.read();
		await folder.write('world/level.dat', levelDat('1.21.1'));
		await writeFile(path.join(folder.dir, 'logs/latest.log'), 'more', { flag: 'a' });
		expect(await reader.read()).toBe(withWorld);

		await folder.write('server.properties', 'motd=two\n');
		expect(await reader.read()).toMatchObject({ motd: 'two' });
		await folder.write('start.sh', 'java -Xmx3G -jar ' + first.command!.argv[2]);
		expect((await reader.read()).command!.argv).toContain('-Xmx3G');
		await rm(path.join(folder.dir, first.command!.argv[2]!));
		expect(await reader.read()).toMatchObject({ command: null });
	});

	test('a change right after a read is noticed, even if the file looks the same', async () => {
		const { folder } = await setup('vanilla', { motd: 'one' });
		const reader = createInstallationReader(folder.dir, NONE);
		for (const motd of ['two', 'six', 'ten']) {
			await folder.write('server.properties', `motd=${motd}\n`);
			expect(await reader.read()).toMatchObject({ motd });
		}
	});

	test('many concurrent readers share one read', async () => {
		const { folder } = await setup('vanilla');
		const reader = createInstallationReader(folder.dir, NONE);
		const [first, ...others] = await Promise.all(Array.from({ length: 20 }, () => reader.read()));
		for (const other of others) expect(other).toBe(first);
	});

	test('a folder that disappears and comes back', async () => {
		const { folder } = await setup('vanilla');
		const reader = createInstallationReader(folder.dir, NONE);
		await reader.read();
		await rename(folder.dir, `${folder.dir}-away`);
		await expect(reader.read()).rejects.toThrow(/does not exist/);
		await rename(`${folder.dir}-away`, folder.dir);
		expect(await reader.read()).toMatchObject({ software: 'Vanilla' });
	});

	test('a jar replaced in place is read again', async () => {
		const { folder } = await setup('vanilla');
		const reader = createInstallationReader(folder.dir, NONE);
		await reader.read();
		await folder.write(
			'server.jar',
			jar('net.minecraft.bundler.Main', { 'version.json': '{"id":"26.2"}' })
		);
		expect(await reader.read()).toMatchObject({ gameVersion: '26.2' });
	});
});
