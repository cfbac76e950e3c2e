import fs from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { offlineUuid } from '../world/lists.ts';
import { readMods } from '../boot/mods.ts';
import { findLong } from '../world/nbt.ts';
import { DEFAULTS, format, parse } from '../world/properties.ts';
import { freePort, seedDemoFolder } from './seed.ts';
import { readZipEntry, writeZip } from '../world/zip.ts';

async function emptyFolder(): Promise<string> {
	const dir = await fs.mkdtemp(path.join(os.tmpdir(), 'craftwarden-seed-'));
	onTestFinished(() => fs.rm(dir, { recursive: true, force: true }));
	return dir;
}

const readProperties = async (dir: string) =>
	parse(await fs.readFile(path.join(dir, 'server.properties'), 'utf8'));

test('a seeded folder looks like a Fabric server that has been played on', async () => {
	const dir = await emptyFolder();
	await seedDemoFolder(dir);
	const names = (await fs.readdir(dir)).sort();
	expect(names).toEqual(
		expect.arrayContaining(['.fabric', 'config', 'eula.txt', 'logs', 'mods', 'ops.json', 'world'])
	);
	const launcher = 'fabric-server-mc.1.21.1-loader.0.16.9-launcher.1.0.1.jar';
	expect(readZipEntry(path.join(dir, launcher), 'install.properties')!.toString()).toContain(
		'game-version=1.21.1'
	);
	const { mods, broken, foreign } = readMods(path.join(dir, 'mods'));
	expect(mods.map((mod) => mod.id)).toEqual([
		'fabric-api',
		'lantern-keeper',
		'lithium',
		'quiet-villagers',
		'waymarks'
	]);
	expect([broken, foreign]).toEqual([[], []]);
	const level = await fs.readFile(path.join(dir, 'world/level.dat'));
	expect(gunzipSync(level).includes('1.21.1')).toBe(true);
	expect(findLong(level, 'Time')).toBe(214_000n);
});

test('server.properties has every key of 1.21.1, RCON on, loopback only, and a password of its own', async () => {
	const [one, two] = [await emptyFolder(), await emptyFolder()];
	await Promise.all([seedDemoFolder(one), seedDemoFolder(two)]);
	const properties = await readProperties(one);
	expect(Object.keys(properties).sort()).toEqual(Object.keys(DEFAULTS).sort());
	expect(properties).toMatchObject({ 'enable-rcon': 'true', 'server-ip': '127.0.0.1' });
	expect(properties['rcon.password']!.length).toBeGreaterThanOrEqual(24);
	expect(properties['rcon.password']).not.toBe((await readProperties(two))['rcon.password']);
	const { mode } = await fs.stat(path.join(one, 'server.properties'));
	expect(mode & 0o777).toBe(0o600);
});

test('given ports, password and MOTD are used, colons and all', async () => {
	const dir = await emptyFolder();
	const options = { gamePort: 4001, rconPort: 4002, rconPassword: 'a=b:c #d', motd: '§aHi: ünï!' };
	await seedDemoFolder(dir, options);
	expect(await readProperties(dir)).toMatchObject({
		'server-port': '4001',
		'rcon.port': '4002',
		'rcon.password': 'a=b:c #d',
		motd: '§aHi: ünï!'
	});
});

test('mods that were removed or replaced do not come back at the next start', async () => {
	const dir = await emptyFolder();
	await seedDemoFolder(dir);
	const [first] = await fs.readdir(path.join(dir, 'mods'));
	await fs.rm(path.join(dir, 'mods', first!));
	await seedDemoFolder(dir);
	expect(await fs.readdir(path.join(dir, 'mods'))).not.toContain(first);
});

test('nothing that exists is overwritten, not even in a folder that was changed in the meantime', async () => {
	const dir = await emptyFolder();
	await seedDemoFolder(dir, { gamePort: 4001, rconPort: 4002 });
	await fs.writeFile(path.join(dir, 'ops.json'), '[]');
	await fs.rm(path.join(dir, 'whitelist.json'));
	const before = await fs.readFile(path.join(dir, 'server.properties'));
	await seedDemoFolder(dir, { gamePort: 4003, rconPort: 4004 });
	expect((await fs.readFile(path.join(dir, 'server.properties'))).equals(before)).toBe(true);
	expect(await fs.readFile(path.join(dir, 'ops.json'), 'utf8')).toBe('[]');
	expect(await fs.readFile(path.join(dir, 'whitelist.json'), 'utf8')).toContain('Mossfeather');
});

test('a busy port is not chosen', async () => {
	const busy = await freePort(null);
	const server = net.createServer();
	await new Promise<void>((resolve) => server.listen(busy, '127.0.0.1', resolve));
	onTestFinished(() => void server.close());
	expect(await freePort(busy)).not.toBe(busy);
	const free = await freePort(null);
	expect(await freePort(free, [free])).not.toBe(free);
});

test('beside a server that still boots, its console’s port is not taken', async () => {
	const dir = await emptyFolder();
	await seedDemoFolder(dir, { gamePort: await freePort(null) });
	expect((await readProperties(dir))['rcon.port']).not.toBe('25575');
});

test('offline ids are those that the game generates', () => {
	expect(offlineUuid('Notch')).toBe('b50ad385-829d-3141-a216-7e7d7539ba7f');
});

test('a zip survives a round trip, and a broken or oversized one is refused', async () => {
	const dir = await emptyFolder();
	const file = path.join(dir, 'x.jar');
	await fs.writeFile(
		file,
		writeZip([
			{ name: 'a', content: 'one' },
			{ name: 'dir/ä', content: 'two' }
		])
	);
	expect(readZipEntry(file, 'dir/ä')!.toString()).toBe('two');
	expect(readZipEntry(file, 'b')).toBeNull();
	await fs.writeFile(file, writeZip([{ name: 'bomb', content: Buffer.alloc(3_000_000) }]));
	expect(() => readZipEntry(file, 'bomb')).toThrow();
	for (const bytes of ['', 'PK', 'x'.repeat(100_000)]) {
		await fs.writeFile(file, bytes);
		expect(() => readZipEntry(file, 'a')).toThrow('zip END header not found');
	}
});

test('properties are read and written as Java does', () => {
	expect(
		parse(
			'#c\n!c\na=1\nb : two words \nc three\nd=\\u00A7a\\\n   more\ne\\=f=\\:\\ \ng\r\nh=C\\\\d'
		)
	).toEqual({ a: '1', b: 'two words ', c: 'three', d: '§amore', 'e=f': ': ', g: '', h: 'C\\d' });
	const values = { 'level-type': 'minecraft:normal', motd: ' #a=b!\\', x: '' };
	expect(format(values)).toMatch(/^level-type=minecraft\\:normal$/m);
	expect(parse(format(values))).toEqual(values);
});
