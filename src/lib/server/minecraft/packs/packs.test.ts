import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { jar, zip } from '../../../../../tests/fakes/mods/jars.ts';
import { zip64 } from '../../../../../tests/fakes/mods/mod-jars.ts';
import { folderFiles, readPack, zipFiles, type Pack } from './index.ts';

type Files = Record<string, string | Uint8Array>;
const SHA = 'a'.repeat(128);

async function temp() {
	const dir = await mkdtemp(path.join(os.tmpdir(), 'craftwarden-packs-'));
	onTestFinished(() => rm(dir, { recursive: true, force: true }));
	return dir;
}

async function readBytes(bytes: Buffer): Promise<Pack> {
	const dir = await temp();
	const file = path.join(dir, 'pack.zip');
	await writeFile(file, bytes);
	const files = await zipFiles(file);
	try {
		return (await readPack(files, dir)).pack;
	} finally {
		await files.close();
	}
}
const read = (files: Files) => readBytes(zip(files));

const entry = (file: string, more: object = {}) => ({
	path: file,
	hashes: { sha1: 'b'.repeat(40), sha512: SHA },
	downloads: [`https://cdn.modrinth.com/data/x/${file}`],
	fileSize: 10,
	...more
});
const index = (files: object[], more: object = {}) =>
	JSON.stringify({
		...{ formatVersion: 1, game: 'minecraft', versionId: '1.2', name: 'Lanterns' },
		...{ files, dependencies: { minecraft: '1.21.1', 'fabric-loader': '0.18.0' } },
		...more
	});
const mrpack = (files: object[], more: object = {}, others: Files = {}) =>
	read({ 'modrinth.index.json': index(files, more), ...others });

test('an index lists what is downloaded, left out and optional', async () => {
	const pack = await mrpack(
		[
			entry('mods/a.jar'),
			entry('mods/b.jar', { env: { client: 'required', server: 'optional' } }),
			entry('mods/c.jar', { env: { client: 'required', server: 'unsupported' } }),
			entry('ops.json')
		],
		{},
		{
			'overrides/config/a.toml': 'common',
			'overrides/start.sh': 'rm -rf /',
			'overrides/eula.txt': 'eula=true',
			'server-overrides/config/a.toml': 'server!',
			'client-overrides/options.txt': 'x'
		}
	);
	expect(pack).toMatchObject({
		...{ name: 'Lanterns', version: '1.2', kind: 'a Modrinth pack' },
		...{ loader: 'fabric', loaderVersion: '0.18.0', gameVersion: '1.21.1' }
	});
	expect(pack.downloads.map((one) => one.path)).toEqual(['mods/a.jar', 'mods/b.jar']);
	expect(pack.puts).toEqual([
		{ from: 'server-overrides/config/a.toml', path: 'config/a.toml', size: 7 }
	]);
	expect(pack.leftOut.map(({ fileName }) => fileName)).toEqual([
		...['mods/c.jar', 'ops.json', 'start.sh', 'eula.txt', 'client-overrides/']
	]);
	expect(pack.notes).toEqual([expect.stringContaining('optional, and they are put in: b.jar')]);
});

test('files in the pack override those of the index', async () => {
	const pack = await mrpack([entry('mods/a.jar')], {}, { 'overrides/mods/a.jar': 'own' });
	expect(pack.downloads).toEqual([]);
	expect(pack.puts).toMatchObject([{ path: 'mods/a.jar' }]);
});

test.each([
	['forge', '47.2.0', 'forge', '47.2.0'],
	['forge', '1.20.1-47.2.0', 'forge', '47.2.0'],
	['neoforge', '26.1.2.7-beta', 'neoforge', '26.1.2.7-beta'],
	['neo-forge', '21.1.209', 'neoforge', '21.1.209']
])('%s %s is the build %s %s', async (key, value, loader, loaderVersion) => {
	const dependencies = { minecraft: '1.20.1', [key]: value };
	expect(await mrpack([], { dependencies })).toMatchObject({ loader, loaderVersion });
});

test('a pack without a loader is for the game alone', async () => {
	const pack = await mrpack([], { dependencies: { minecraft: '1.21.1' } });
	expect(pack).toMatchObject({ loader: 'vanilla', loaderVersion: null });
});

test.each([
	['../evil.jar', 'leads out'],
	['mods/../../evil.jar', 'leads out'],
	['/etc/cron.d/evil', 'absolute'],
	['C:/evil.jar', 'absolute'],
	['mods\\evil.jar', 'backslash'],
	['mods/con.jar', 'reserved'],
	['mods/nul', 'reserved'],
	['mods//a.jar', 'not written as a path'],
	['mods/a\u202egpj.jar', 'cannot be read'],
	[`mods/${'x'.repeat(300)}.jar`, 'too long']
])('an index with %j is refused: %s', async (file, why) => {
	await expect(mrpack([entry(file)])).rejects.toThrow(why);
});

test.each([
	[[entry('mods/a.jar'), entry('mods/a.jar')], 'one file'],
	[[entry('mods/a.jar'), entry('mods/A.jar')], 'one file'],
	[[entry('mods/a'), entry('mods/a/b.jar')], 'lies in the other'],
	[[entry('mods/a.jar', { hashes: { sha1: 'b'.repeat(40) } })], 'without a checksum'],
	[[entry('mods/a.jar', { downloads: [] })], 'without an address'],
	[[entry('mods/a.jar', { fileSize: -1 })], 'without a size'],
	[[{}], 'a file without a path'],
	[Array.from({ length: 5001 }, (_, i) => entry(`mods/${i}.jar`)), 'more than 5000']
])('a broken index is refused', async (files, why) => {
	await expect(mrpack(files)).rejects.toThrow(why);
});

test.each([
	[{ dependencies: {} }, 'which version of Minecraft'],
	[{ dependencies: { minecraft: '1.21.1', 'quilt-loader': '0.26.0' } }, 'made for Quilt'],
	[{ dependencies: { minecraft: '1.21.1', forge: '1', 'fabric-loader': '2' } }, 'more than one'],
	[{ dependencies: { minecraft: '1.21.1', forge: '../../x' } }, 'which version of its loader'],
	[{ formatVersion: 2 }, 'format 1'],
	[{ game: 'terraria' }, 'format 1']
])('%j is refused', async (more, why) => {
	await expect(mrpack([], more)).rejects.toThrow(why);
});

test('an index that is not JSON, or endless, is refused', async () => {
	await expect(read({ 'modrinth.index.json': '<!doctype html>' })).rejects.toThrow('no JSON');
	await expect(read({ 'modrinth.index.json': ' '.repeat(9 << 20) })).rejects.toThrow('8 MB');
});

/** A zip in which one entry is changed: its attributes, or what it says of its size. */
function tampered(files: Files, name: string, change: (entry: Buffer) => void) {
	const bytes = zip(files);
	const listed = bytes.lastIndexOf(Buffer.from(name));
	change(bytes.subarray(listed - 46));
	return bytes;
}
const NEEDED = {
	'fabric-server-mc.1.21.1-loader.0.18.0-launcher.1.0.0.jar': 'x',
	'mods/a.jar': 'x'
};

test('links in an archive are left out by name', async () => {
	const bytes = tampered({ ...NEEDED, 'config/link': '/etc/passwd' }, 'config/link', (at) =>
		at.writeUInt32LE((0o120777 << 16) >>> 0, 38)
	);
	const pack = await readBytes(bytes);
	expect(pack.puts.map((one) => one.path)).toEqual(['mods/a.jar']);
	expect(pack.leftOut).toContainEqual({
		fileName: 'config/link',
		why: expect.stringMatching(/link/)
	});
});

test.each(['../evil', '/etc/evil', 'config\\evil', 'C:\\evil', 'a/../../evil'])(
	'an archive with %j is refused as a whole',
	async (name) => {
		await expect(read({ ...NEEDED, [name]: 'x' })).rejects.toThrow('The archive is not taken');
	}
);

test('names that differ only in case, and a file that is also a folder, are refused', async () => {
	await expect(read({ ...NEEDED, 'config/A': '1', 'config/a': '2' })).rejects.toThrow('one file');
	await expect(read({ ...NEEDED, config: '1', 'config/a': '2' })).rejects.toThrow('one file');
});

test('a zip bomb is refused by its declared size, and stopped by its actual one', async () => {
	const huge = tampered({ ...NEEDED, 'config/bomb': 'x' }, 'config/bomb', (at) =>
		at.writeUInt32LE(0xffffffff, 24)
	);
	const many = Buffer.from(huge);
	expect((await readBytes(many)).puts.at(-1)?.size).toBe(0xffffffff);
	const dir = await temp();
	const file = path.join(dir, 'bomb.zip');
	const lying = tampered(
		{ ...NEEDED, 'config/bomb': Buffer.alloc(32 << 20) },
		'config/bomb',
		(at) => at.writeUInt32LE(1000, 24)
	);
	await writeFile(file, lying);
	const files = await zipFiles(file);
	onTestFinished(() => files.close());
	const to = path.join(dir, 'out');
	await expect(files.copy('config/bomb', to, new AbortController().signal)).rejects.toThrow(
		'damaged'
	);
	expect((await readFile(to)).length).toBeLessThan(1 << 20);
});

test('a truncated or damaged archive is reported', async () => {
	const whole = zip({ ...NEEDED, 'config/a': 'words words words words words words words' });
	await expect(readBytes(whole.subarray(0, 100))).rejects.toThrow('cut off');
	await expect(readBytes(Buffer.from('<!doctype html>'))).rejects.toThrow('no zip archive');
	await expect(readBytes(Buffer.alloc(0))).rejects.toThrow('empty');
	await expect(readBytes(zip({}))).rejects.toThrow('nothing in it');
	await expect(readBytes(zip64(whole))).rejects.toThrow(/zip64.*import the folder/);
});

const MODS = { 'mods/a.jar': 'x' };
const ARGS = 'libraries/net/neoforged/neoforge/21.1.172/unix_args.txt';
test.each([
	[
		{ [ARGS]: '', 'run.sh': `java @${ARGS}` },
		'with its loader installed',
		'neoforge',
		'21.1.172',
		'1.21.1'
	],
	[
		{ 'libraries/net/minecraftforge/forge/1.20.1-47.2.0/win_args.txt': '' },
		...['with its loader installed', 'forge', '47.2.0', '1.20.1']
	],
	[
		{ 'libraries/net/neoforged/forge/1.20.1-47.1.106/unix_args.txt': '' },
		...['with its loader installed', 'neoforge', '47.1.106', '1.20.1']
	],
	[
		{
			'variables.txt':
				'MINECRAFT_VERSION=1.20.1\nMODLOADER=Fabric\nMODLOADER_VERSION=0.16.9\nJAVA_ARGS="-Xmx6G"'
		},
		...['ServerPackCreator', 'fabric', '0.16.9', '1.20.1']
	],
	[
		{
			'server-setup-config.yaml':
				'install:\n  mcVersion: 1.18.2 # game\n  loaderVersion: 40.2.0\n  installerUrl: "http://files.minecraftforge.net/maven/x"\nlaunch:\n  maxRam: 6G'
		},
		...['ServerStarter', 'forge', '40.2.0', '1.18.2']
	],
	[{ 'forge-1.20.1-47.2.0-installer.jar': 'x' }, 'with an installer', 'forge', '47.2.0', '1.20.1'],
	[
		{ 'neoforge-26.1.2.7-beta-installer.jar': 'x' },
		'with an installer',
		'neoforge',
		'26.1.2.7-beta',
		'26.1.2'
	],
	[
		{
			'startserver.sh':
				'NEOFORGE_VERSION=21.1.209\nINSTALLER="neoforge-$NEOFORGE_VERSION-installer.jar"\njava -Xmx6144M'
		},
		...['with start scripts', 'neoforge', '21.1.209', '1.21.1']
	],
	[
		{ 'start.bat': 'set MINECRAFT_VERSION=1.20.1\nset FORGE_VERSION=47.2.0' },
		...['with start scripts', 'forge', '47.2.0', '1.20.1']
	],
	[
		{
			'manifest.json':
				'{"minecraft":{"version":"1.20.1","modLoaders":[{"id":"forge-47.2.0","primary":true}]},"files":[]}'
		},
		...['CurseForge', 'forge', '47.2.0', '1.20.1']
	],
	[
		{
			'server.jar': jar('net.fabricmc.x', {
				'install.properties': 'fabric-loader-version=0.16.9\ngame-version=1.21.1'
			})
		},
		...['a server', 'fabric', '0.16.9', '1.21.1']
	],
	[{ 'paper-1.21.1-133.jar': jar('io.papermc.Main') }, 'a server', 'paper', '133', '1.21.1']
] as [Files, string, string, string, string][])(
	'%j',
	async (files, kind, loader, loaderVersion, gameVersion) => {
		const pack = await read({ ...files, ...MODS });
		expect(pack).toMatchObject({ loader, loaderVersion, gameVersion });
		expect(pack.kind).toContain(kind);
		expect(pack.puts.map((one) => one.path)).toEqual(['mods/a.jar']);
		const text = JSON.stringify(files);
		expect(pack.memoryMb).toBe(/6G|6144/.test(text) ? 6144 : null);
	}
);

test('the other files of a server are included, except its own state', async () => {
	const pack = await read({
		...NEEDED,
		'server.properties': 'motd=x',
		'kubejs/server_scripts/a.js': 'x',
		'config/x/run.sh': 'x',
		'whitelist.json': '[]',
		'user_jvm_args.txt': '-javaagent:evil.jar',
		'libraries/a/b.jar': 'x',
		'libraries/c/d.jar': 'x',
		'logs/latest.log': 'x',
		'world/level.dat': 'x',
		'world/session.lock': 'x',
		'config/ops.json': 'x',
		'__MACOSX/x': 'x'
	});
	expect(pack.puts.map((one) => one.path)).toEqual([
		...['mods/a.jar', 'server.properties', 'kubejs/server_scripts/a.js', 'world/level.dat'],
		'config/ops.json'
	]);
	expect(pack.leftOut.map(({ fileName }) => fileName)).toEqual([
		...['fabric-server-mc.1.21.1-loader.0.18.0-launcher.1.0.0.jar', 'config/x/run.sh'],
		...['whitelist.json', 'user_jvm_args.txt', 'libraries/', 'logs/', 'world/session.lock'],
		'__MACOSX/'
	]);
});

test('a folder around the pack is ignored', async () => {
	const nested = Object.fromEntries(
		Object.entries(NEEDED).map(([name, content]) => [`Pack 1.2/server/${name}`, content])
	);
	expect((await read(nested)).puts.map((one) => one.path)).toEqual(['mods/a.jar']);
	expect(
		(await read({ 'x/modrinth.index.json': index([entry('mods/a.jar')]), 'x/overrides/a': '1' }))
			.puts
	).toMatchObject([{ path: 'a' }]);
});

const MANIFEST =
	'{"minecraft":{"version":"1.20.1","modLoaders":[{"id":"forge-47.2.0"}]},"files":[{}]}';
test.each([
	[{ 'manifest.json': MANIFEST, 'overrides/config/a': 'x' }, 'CurseForge pack for players'],
	[{ 'mmc-pack.json': '{}', 'minecraft/mods/a.jar': 'x' }, 'Prism Launcher or MultiMC'],
	[{ 'pack.toml': 'x' }, 'packwiz'],
	[{ 'fabric.mod.json': '{}', 'META-INF/MANIFEST.MF': '' }, 'single mod'],
	[{ 'plugin.yml': 'x' }, 'single plugin'],
	[{ 'level.dat': 'x', 'region/r.0.0.mca': 'x' }, 'a world'],
	[{ 'pack.mcmeta': '{}' }, 'resource pack'],
	[{ 'server.zip': 'x', 'readme.txt': 'x' }, 'another archive in it: “server.zip”'],
	[{ 'notes/readme.txt': 'x' }, 'no pack of a server'],
	[{ 'a/server.properties': '', 'b/server.properties': '' }, 'several servers in it: “a”, “b”'],
	[{ 'start.sh': 'java -jar quilt-server-launch.jar', ...MODS }, 'made for Quilt'],
	[{ 'start.sh': 'echo', ...MODS }, 'neither a script nor a jar'],
	[{ 'start.sh': 'set MODLOADER=forge', ...MODS }, 'which version of Minecraft'],
	[
		{ 'server-setup-config.yaml': 'mcVersion: 1.18.2\nloaderVersion: 40.2.0' },
		'a script in it would download them'
	],
	[{ 'forge-1.20.1-47.2.0-installer.jar': 'x' }, 'no jar in its folder mods']
] as [Files, string][])('%j is refused by name: %s', async (files, why) => {
	await expect(read(files)).rejects.toThrow(why);
});

test('a folder of this machine is read without following links that lead out of it', async () => {
	const dir = await temp();
	const root = path.join(dir, 'server');
	await mkdir(path.join(root, 'mods'), { recursive: true });
	for (const [name, content] of Object.entries(NEEDED))
		await writeFile(path.join(root, name), content);
	await writeFile(path.join(dir, 'secret'), 'secret');
	await symlink(path.join(dir, 'secret'), path.join(root, 'config.txt'));
	await symlink(dir, path.join(root, 'config'));
	const files = await folderFiles(root);
	const { pack } = await readPack(files, dir);
	expect(pack.puts).toEqual([{ from: 'mods/a.jar', path: 'mods/a.jar', size: 1 }]);
	expect(pack.leftOut.map(({ fileName }) => fileName)).toEqual([
		...['fabric-server-mc.1.21.1-loader.0.18.0-launcher.1.0.0.jar', 'config', 'config.txt']
	]);
	// What becomes a link afterwards is not followed either.
	await rm(path.join(root, 'mods'), { recursive: true });
	await mkdir(path.join(dir, 'elsewhere'));
	await writeFile(path.join(dir, 'elsewhere/a.jar'), 'other');
	await symlink(path.join(dir, 'elsewhere'), path.join(root, 'mods'));
	const copy = files.copy('mods/a.jar', path.join(dir, 'out'), new AbortController().signal);
	await expect(copy).rejects.toThrow('has changed since');
});

test.each([
	['start.sh', '\n'.repeat(1500)],
	['variables.txt', '\n'.repeat(1500)],
	['server-setup-config.yaml', `mcVersion: !${' '.repeat(60_000)}"x"`]
])(
	'a %s of blanks is read in no time',
	async (name, blanks) => {
		const reading = read({ [name]: blanks, 'mods/a.jar': 'a' });
		await expect(reading).rejects.toMatchObject({ kind: 'invalid' });
	},
	5000
);
