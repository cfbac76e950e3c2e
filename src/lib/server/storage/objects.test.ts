import { execFileSync } from 'node:child_process';
import { existsSync, type BigIntStats } from 'node:fs';
import {
	appendFile,
	chmod,
	lstat,
	mkdir,
	open,
	readdir,
	readFile,
	rename,
	rm,
	stat,
	symlink,
	truncate,
	writeFile
} from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openStore, picture, plant, stored } from '../../../../tests/fakes/snapshot-folders.ts';
import { tempDir } from '../../../../tests/faults/temp.ts';
import { fingerprint } from './objects-read.ts';

const about = { reason: 'manual', operationId: null, note: '' } as const;
/** Longer than the tick within which a change cannot be told from the one before. */
const SETTLE_MS = 120;

async function setup(files: Record<string, string | Uint8Array>, apart: string[] = []) {
	const dir = await tempDir();
	const kit = openStore(dir, { apart });
	onTestFinished(() => kit.store.close());
	await plant(kit.serverDir, files);
	const look = () => picture(kit.serverDir);
	return { ...kit, dir, look, take: () => kit.store.take(about) };
}

const SERVER = {
	'mods/sodium.jar': 'sodium 1',
	'mods/lithium.jar': 'lithium 1',
	'mods/old.jar.disabled': 'off',
	'mods/README.txt': 'not a mod',
	'config/sodium.json': '{ "a": 1 }',
	'config/deep/er/x.toml': 'x = 1',
	'config/empty/': '',
	'defaultconfigs/y.toml': 'y = 1',
	'server.properties': 'motd=hi',
	'eula.txt': 'eula=true',
	'ops.json': '[]',
	'whitelist.json': '[]',
	'banned-players.json': '[]',
	'world/level.dat': 'world',
	'world/serverconfig/z.toml': 'z = 1'
};

describe('taking a snapshot', () => {
	test('covers mods and their configuration, and never operators, lists, properties or worlds', async () => {
		const { take, snapshotDir } = await setup(SERVER);
		const taken = await take();
		expect(taken).toMatchObject({ mods: 3, files: 7, pinned: false, problem: null, warnings: [] });
		expect(taken.bytes).toBe(taken.ownBytes);
		const { count, files } = await stored(snapshotDir);
		expect(count).toBe(7);
		const contents = await Promise.all(files.map((file) => readFile(file, 'utf8')));
		expect(contents).toContain('sodium 1');
		expect(contents).not.toContain('[]');
		expect(contents).not.toContain('motd=hi');
		expect(contents.join()).not.toMatch(/eula|world|z = 1/);
	});

	test('stores copies, private, by the hash of their content', async () => {
		const { take, snapshotDir, serverDir } = await setup(SERVER);
		const { id } = await take();
		const { files } = await stored(snapshotDir);
		for (const file of [...files, path.join(snapshotDir, `${id}.json`)]) {
			const stats = await stat(file);
			expect(stats.mode & 0o777).toBe(0o600);
			expect(stats.nlink).toBe(1);
		}
		for (const file of files) {
			const [hash] = execFileSync('sha256sum', [file], { encoding: 'utf8' }).split(' ');
			expect(file.endsWith(path.join('objects', hash!.slice(0, 2), hash!))).toBe(true);
		}
		await appendFile(path.join(serverDir, 'mods/sodium.jar'), ' changed in place');
		expect((await stored(snapshotDir)).bytes).toBe(
			Object.entries(SERVER)
				.filter(([name]) => /^(mods|config|defaultconfigs)\/.*[^/]$/.test(name))
				.reduce((sum, [, content]) => sum + content.length, 0)
		);
	});

	test('a file that looks as it did is not read again', async () => {
		const { take, store } = await setup({ 'mods/big.jar': Buffer.alloc(20e6, 1) });
		await delay(SETTLE_MS);
		const readAtFirst = await bytesRead(take);
		expect(readAtFirst).toBeGreaterThan(40e6); // once for its hash, once to copy it
		expect(await bytesRead(take)).toBeLessThan(2e6);
		expect((await store.list()).map(({ ownBytes }) => ownBytes)).toEqual([0, 0]);
	});

	test('a file that was changed keeping its size and its time is seen', async () => {
		const { take, serverDir, store, look } = await setup(SERVER);
		const jar = path.join(serverDir, 'mods/sodium.jar');
		await delay(SETTLE_MS);
		await take();
		execFileSync('touch', ['-r', jar, path.join(serverDir, 'times')]);
		await writeFile(jar, 'sodium 2');
		execFileSync('touch', ['-r', path.join(serverDir, 'times'), jar]);
		await delay(SETTLE_MS);
		const wanted = await look();
		const { id, ownBytes } = await take();
		expect(ownBytes).toBe('sodium 2'.length);
		await writeFile(jar, 'sodium 3');
		await store.putBack(id);
		expect(await look()).toEqual(wanted);
	});

	test('a change in the tick after a snapshot is seen', async () => {
		const { take, serverDir, store } = await setup({ 'mods/a.jar': '0' });
		const jar = path.join(serverDir, 'mods/a.jar');
		const ids: string[] = [];
		for (let i = 1; i < 6; i++) {
			const handle = await open(jar, 'r+');
			await handle.write(String(i), 0);
			await handle.close();
			ids.push((await take()).id);
		}
		for (const [i, id] of ids.entries()) {
			await store.putBack(id);
			expect(await readFile(jar, 'utf8')).toBe(String(i + 1));
		}
	});

	test('the same content is stored once, in one snapshot and in several', async () => {
		const { take, snapshotDir, serverDir } = await setup({
			'mods/a.jar': 'same',
			'mods/b.jar': 'same',
			'config/c': 'same'
		});
		await take();
		await rename(path.join(serverDir, 'mods/a.jar'), path.join(serverDir, 'mods/z.jar'));
		await take();
		expect(await stored(snapshotDir)).toMatchObject({ count: 1, bytes: 4 });
	});

	test('what is in the store already is healed when it went missing', async () => {
		const { take, snapshotDir, store } = await setup({ 'mods/a.jar': 'aaa' });
		await delay(SETTLE_MS);
		await take();
		const { files } = await stored(snapshotDir);
		await rm(files[0]!);
		const { id } = await take();
		expect(await store.verify(id)).toMatchObject({ problem: null });
	});

	test('an empty server makes an empty snapshot, and mods that are a link are refused', async () => {
		const { take, serverDir, snapshotDir, dir } = await setup({});
		await mkdir(serverDir, { recursive: true });
		await expect(take()).resolves.toMatchObject({ mods: 0, files: 0, bytes: 0 });
		await mkdir(path.join(dir, 'elsewhere'));
		await symlink(path.join(dir, 'elsewhere'), path.join(serverDir, 'mods'));
		await expect(take()).rejects.toMatchObject({ kind: 'conflict' });
		expect((await readdir(snapshotDir)).filter((name) => name.endsWith('.json'))).toHaveLength(1);
	});

	test('a file that never holds still is left out, said so, and left alone later', async () => {
		const { take, serverDir, store } = await setup(SERVER);
		const busy = path.join(serverDir, 'config/busy.log');
		await writeFile(busy, Buffer.alloc(8 << 20));
		let on = true;
		const writing = (async () => {
			while (on) await appendFile(busy, 'x');
		})();
		const taken = await take();
		on = false;
		await writing;
		expect(taken.warnings).toEqual([
			'config/busy.log is not in the snapshot: it kept changing while it was read.'
		]);
		const { size } = await stat(busy);
		await store.putBack(taken.id);
		expect((await stat(busy)).size).toBe(size);
	});
});

describe('putting a snapshot back', () => {
	test('everything is exactly as it was: content, rights, links, empty folders, odd names', async () => {
		const { take, serverDir, look, store } = await setup(SERVER);
		const at = (name: string) => path.join(serverDir, name);
		await plant(serverDir, {
			'mods/-rf.jar': 'dash',
			'mods/new\nline \u202e.jar': 'odd',
			[`config/${'ä'.repeat(120)}`]: 'long'
		});
		await writeFile(
			Buffer.concat([Buffer.from(`${at('config')}/`), Buffer.from([0xff, 0xfe])]),
			'raw'
		);
		await symlink('/etc/passwd', at('config/absolute'));
		await symlink('../server.properties', at('config/relative'));
		await symlink('no such thing', at('config/broken'));
		await symlink('..', at('config/deep/up'));
		await chmod(at('config/sodium.json'), 0o640);
		await chmod(at('mods/sodium.jar'), 0o755);
		await chmod(at('config/empty'), 0o2770);
		const wanted = await look();
		const { id, warnings } = await take();
		expect(warnings).toEqual([]);

		await rm(at('config'), { recursive: true });
		await plant(serverDir, {
			'mods/new.jar': 'new',
			'mods/sub/x.jar': 'x',
			'mods/sodium.jar': 'sodium 2, longer',
			'mods/lithium.jar': 'LITHIUM 1',
			'config/other': 'o'
		});
		await rm(at('mods/-rf.jar'));
		await symlink('sodium.jar', at('mods/-rf.jar'));
		await store.putBack(id);
		expect(await look()).toEqual(wanted);
		const { mtimeMs } = await stat(at('mods/sodium.jar'));
		await store.putBack(id);
		expect((await stat(at('mods/sodium.jar'))).mtimeMs).toBe(mtimeMs);
	});

	test('nothing outside of mods and configuration is touched', async () => {
		const { take, serverDir, store } = await setup(SERVER);
		const { id } = await take();
		await plant(serverDir, {
			'ops.json': '[{"name":"new op"}]',
			'server.properties': 'motd=other',
			'world/level.dat': 'played on',
			'mods/sodium.jar': 'sodium 2',
			'extra/file': 'extra'
		});
		await store.putBack(id);
		const text = (name: string) => readFile(path.join(serverDir, name), 'utf8');
		expect(await text('mods/sodium.jar')).toBe('sodium 1');
		expect(await text('ops.json')).toBe('[{"name":"new op"}]');
		expect(await text('server.properties')).toBe('motd=other');
		expect(await text('world/level.dat')).toBe('played on');
		expect(await text('extra/file')).toBe('extra');
	});

	test('folders that were not there go, folders that were come back', async () => {
		const { take, serverDir, look, store } = await setup({ 'mods/a.jar': 'a' });
		const wanted = await look();
		const { id } = await take();
		await rm(path.join(serverDir, 'mods'), { recursive: true });
		await plant(serverDir, { 'config/a/b/c': 'c', 'defaultconfigs/': '' });
		await store.putBack(id);
		expect(await look()).toEqual(wanted);
	});

	test('kinds that changed places change back, and no link is followed', async () => {
		const { take, serverDir, dir, look, store } = await setup({
			'config/file': 'file',
			'config/folder/inner': 'inner'
		});
		const at = (name: string) => path.join(serverDir, name);
		await symlink('file', at('config/link'));
		const wanted = await look();
		const { id } = await take();
		await plant(dir, { 'outside/inner': 'must stay', 'outside/secret': 'must stay' });
		for (const name of ['file', 'folder', 'link'])
			await rm(at(`config/${name}`), { recursive: true });
		await symlink(path.join(dir, 'outside'), at('config/folder'));
		await plant(serverDir, { 'config/file/now/a': 'folder', 'config/link': 'file' });
		execFileSync('mkfifo', [at('config/pipe')]);
		await store.putBack(id);
		expect(await look()).toEqual(wanted);
		expect(await picture(path.join(dir, 'outside'))).toEqual({
			inner: expect.any(String),
			secret: expect.any(String)
		});
		expect(await readFile(path.join(dir, 'outside/inner'), 'utf8')).toBe('must stay');
	});

	test('special files are skipped with a note, and left alone', async () => {
		const { take, serverDir, store } = await setup(SERVER);
		const pipe = path.join(serverDir, 'config/pipe');
		execFileSync('mkfifo', [pipe]);
		const { id, warnings } = await take();
		expect(warnings).toEqual([
			'config/pipe is not in the snapshot: it is no file, folder or link.'
		]);
		await writeFile(path.join(serverDir, 'mods/sodium.jar'), 'other');
		await store.putBack(id);
		expect((await lstat(pipe)).isFIFO()).toBe(true);
	});

	test('a world or our own folder inside of the configuration is never looked into', async () => {
		const { take, serverDir, store, look, snapshotDir } = await setup(
			{ 'mods/a.jar': 'a', 'config/world/level.dat': 'day 1' },
			['config/world']
		);
		const { id, warnings } = await take();
		expect(warnings).toHaveLength(1);
		expect((await stored(snapshotDir)).count).toBe(1);
		await plant(serverDir, { 'config/world/level.dat': 'day 2', 'mods/a.jar': 'b' });
		await store.putBack(id);
		expect(await readFile(path.join(serverDir, 'config/world/level.dat'), 'utf8')).toBe('day 2');
		expect(Object.keys(await look())).toEqual([
			...['config', 'config/world', 'config/world/level.dat', 'mods', 'mods/a.jar']
		]);
	});

	test('a world that came later stays, and nothing is moved for which it would have to go', async () => {
		const { take, serverDir, store, look } = await setup(
			{ 'mods/a.jar': 'a', 'config/x': 'file' },
			['config/x/world', 'defaultconfigs/world']
		);
		const { id } = await take();
		await plant(serverDir, { 'defaultconfigs/world/level.dat': 'w', 'defaultconfigs/y': 'y' });
		await store.putBack(id);
		expect(Object.keys(await look()).filter((name) => name.startsWith('default'))).toEqual([
			...['defaultconfigs', 'defaultconfigs/world', 'defaultconfigs/world/level.dat']
		]);
		await rm(path.join(serverDir, 'config/x'));
		await plant(serverDir, { 'config/x/world/level.dat': 'w', 'mods/a.jar': 'other' });
		const live = await look();
		await expect(store.putBack(id)).rejects.toMatchObject({
			...{ kind: 'conflict', message: expect.stringContaining('config/x') }
		});
		expect(await look()).toEqual(live);
	});

	test('a damaged or missing copy is found before anything is touched', async () => {
		const { take, serverDir, snapshotDir, look, store } = await setup({
			'mods/a.jar': 'aaaa',
			'mods/b.jar': 'bbbb'
		});
		const { id } = await take();
		await plant(serverDir, { 'mods/a.jar': 'AAAA', 'mods/b.jar': 'BBBB', 'mods/c.jar': 'c' });
		const live = await look();
		const { files } = await stored(snapshotDir);
		await writeFile(files[0]!, 'bbbc');
		await expect(store.putBack(id)).rejects.toMatchObject({
			code: 'snapshot-damaged',
			message: expect.stringMatching(/mods\/[ab]\.jar \(damaged\).*Nothing was changed/)
		});
		await expect(store.putBack(id)).rejects.toMatchObject({ code: 'snapshot-damaged' });
		await truncate(files[1]!, 1);
		await expect(store.check(id)).resolves.toMatch(/a\.jar \(damaged\), mods\/b\.jar \(damaged\)/);
		expect(await look()).toEqual(live);
	});

	test('what a damaged copy held is stored anew by the next snapshot', async () => {
		const { take, snapshotDir, store } = await setup({ 'mods/a.jar': 'aaaa' });
		await delay(SETTLE_MS);
		const { id } = await take();
		await writeFile((await stored(snapshotDir)).files[0]!, 'aaab');
		expect(await store.verify(id)).toMatchObject({
			verifiedAt: expect.any(String),
			problem: expect.stringContaining('mods/a.jar (damaged)')
		});
		const next = await take();
		expect(await store.verify(next.id)).toMatchObject({ problem: null });
		expect(await store.verify(id)).toMatchObject({ problem: null });
	});

	test('a changed or hostile list of files is refused', async () => {
		const { take, snapshotDir, store, look } = await setup({ 'mods/a.jar': 'a' });
		const { id } = await take();
		const file = path.join(snapshotDir, `${id}.json`);
		const good = await readFile(file, 'utf8');
		const live = await look();
		for (const text of [
			good.replace('mods/a.jar', 'mods/b.jar'),
			good.replace('mods/a.jar', '../a.jar'),
			good.slice(0, -20),
			good.replace('"version":1', '"version":2'),
			'',
			'{}\n'
		]) {
			await writeFile(file, text);
			await expect(store.putBack(id)).rejects.toMatchObject({ kind: 'conflict' });
			const [listed] = await store.list();
			expect(listed).toMatchObject({ id, readable: false });
			expect(listed!.problem).toMatch(/cannot be restored/);
		}
		expect(await look()).toEqual(live);
		for (const name of ['20260102T030405Z-0000', '../x', `${id}/../${id}`])
			await expect(store.putBack(name)).rejects.toMatchObject({ kind: 'not-found' });
	});

	test('what a killed one left in mods is neither taken nor kept', async () => {
		const { take, serverDir, store, look } = await setup({ 'mods/a.jar': 'a' });
		const wanted = await look();
		await plant(serverDir, { 'mods/.craftwarden-restore-0123456789ab/old0': 'left' });
		const { id, files } = await take();
		expect(files).toBe(1);
		await store.putBack(id);
		expect(await look()).toEqual(wanted);
	});
});

describe('a fingerprint', () => {
	const statsOf = (agoMs: number, restNs: bigint) =>
		({
			...{ size: 1n, ino: 2n, mtimeNs: 3n },
			ctimeNs: (BigInt(Date.now() - agoMs) / 1000n) * 1_000_000_000n + restNs
		}) as BigIntStats;

	test('is none while a second change could have the same time', () => {
		expect(fingerprint(statsOf(0, 999_999_999n))).toBeNull();
		expect(fingerprint(statsOf(-60_000, 5n))).toBeNull();
		expect(fingerprint(statsOf(2_500, 5n))).toMatch(/^1:3:\d+:2$/);
		// Whole seconds: a disk with a coarse clock.
		expect(fingerprint(statsOf(1_500, 0n))).toBeNull();
		expect(fingerprint(statsOf(10_000, 0n))).toMatch(/^1:3:\d+:2$/);
	});
});

describe('the store', () => {
	test('what only one snapshot needs goes with it, the rest stays', async () => {
		const { take, serverDir, snapshotDir, store, look } = await setup({
			'mods/a.jar': 'both',
			'mods/b.jar': 'first only'
		});
		const first = await take();
		await plant(serverDir, { 'mods/b.jar': 'second' });
		const second = await take();
		const wanted = await look();
		const own = async () => (await store.list()).map(({ id, ownBytes }) => [id, ownBytes]);
		expect(new Map((await own()) as [string, number][])).toEqual(
			new Map([
				[first.id, 'first only'.length],
				[second.id, 'second'.length]
			])
		);
		expect(await store.remove([first.id])).toBe(1);
		expect(await own()).toEqual([[second.id, 'bothsecond'.length]]);
		expect(await stored(snapshotDir)).toMatchObject({ count: 2, bytes: 'bothsecond'.length });
		await plant(serverDir, { 'mods/a.jar': 'broken' });
		await store.putBack(second.id);
		expect(await look()).toEqual(wanted);
		expect(await store.remove([first.id, 'x', second.id])).toBe(1);
		expect((await stored(snapshotDir)).count).toBe(0);
	});

	test('while a list of files cannot be read, nothing is collected', async () => {
		const { take, serverDir, snapshotDir, store, warnings } = await setup({ 'mods/a.jar': 'a' });
		const first = await take();
		await plant(serverDir, { 'mods/a.jar': 'b' });
		const second = await take();
		const file = path.join(snapshotDir, `${first.id}.json`);
		const good = await readFile(file, 'utf8');
		await writeFile(file, 'broken');
		await store.remove([second.id]);
		expect((await stored(snapshotDir)).count).toBe(2);
		expect(warnings.join()).toContain(first.id);
		await writeFile(file, good);
		await store.putBack(first.id);
		expect(await readFile(path.join(serverDir, 'mods/a.jar'), 'utf8')).toBe('a');
	});

	test('notes and pins are kept with the snapshot, whatever they are', async () => {
		const { take, store } = await setup({ 'mods/a.jar': 'a' });
		const { id } = await take();
		await store.change(id, { pinned: true });
		expect(await store.change(id, { note: 'before the "big" one' })).toMatchObject({
			...{ id, pinned: true, note: 'before the "big" one' }
		});
		expect(await store.verify(id)).toMatchObject({ pinned: true, problem: null });
		await expect(store.change('20260102T030405Z-0000', { pinned: true })).rejects.toMatchObject({
			kind: 'not-found'
		});
	});

	test('two stores on one folder wait for each other', async () => {
		const { take, dir, store, snapshotDir } = await setup(SERVER);
		const other = openStore(dir);
		onTestFinished(() => other.store.close());
		const taken = await Promise.all([
			...Array.from({ length: 3 }, () => take()),
			...Array.from({ length: 3 }, () => other.store.take(about))
		]);
		const ids = taken.map(({ id }) => id);
		expect(new Set(ids).size).toBe(6);
		await Promise.all([store.remove(ids.slice(0, 2)), take(), other.store.remove(ids.slice(2, 5))]);
		const rest = await store.list();
		expect(rest).toHaveLength(2);
		for (const { id } of rest)
			expect(await other.store.verify(id)).toMatchObject({ problem: null });
		expect((await stored(snapshotDir)).count).toBe(7);
		expect(existsSync(path.join(snapshotDir, 'objects/.0.tmp'))).toBe(false);
	});
});

/** What this process reads from files meanwhile. */
async function bytesRead(work: () => Promise<unknown>) {
	const soFar = async () =>
		Number(/^rchar: (\d+)/m.exec(await readFile('/proc/self/io', 'utf8'))![1]);
	const before = await soFar();
	await work();
	return (await soFar()) - before;
}
