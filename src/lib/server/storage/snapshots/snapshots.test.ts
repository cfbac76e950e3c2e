import { execFileSync } from 'node:child_process';
import { existsSync, type BigIntStats } from 'node:fs';
import {
	appendFile,
	mkdir,
	open,
	readdir,
	readFile,
	rename,
	rm,
	stat,
	symlink,
	writeFile
} from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openStore, plant, stored } from '../../../../../tests/fakes/archives/snapshot-folders.ts';
import { fingerprint } from './read.ts';
import {
	about,
	SETTLE_MS,
	setup,
	SERVER
} from '../../../../../tests/fakes/archives/snapshot-kit.ts';

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

	test('an unchanged file is not read again', async () => {
		const { take, store } = await setup({ 'mods/big.jar': Buffer.alloc(20e6, 1) });
		await delay(SETTLE_MS);
		const readAtFirst = await bytesRead(take);
		expect(readAtFirst).toBeGreaterThan(40e6); // once for its hash, once to copy it
		expect(await bytesRead(take)).toBeLessThan(2e6);
		expect((await store.list()).map(({ ownBytes }) => ownBytes)).toEqual([0, 0]);
	});

	test('a change that keeps size and time is seen', async () => {
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

	test('a stored file that went missing is replaced', async () => {
		const { take, snapshotDir, store } = await setup({ 'mods/a.jar': 'aaa' });
		await delay(SETTLE_MS);
		await take();
		const { files } = await stored(snapshotDir);
		await rm(files[0]!);
		const { id } = await take();
		expect(await store.verify(id)).toMatchObject({ problem: null });
	});

	test('an empty server makes an empty snapshot, and a mods folder that is a link is refused', async () => {
		const { take, serverDir, snapshotDir, dir } = await setup({});
		await mkdir(serverDir, { recursive: true });
		await expect(take()).resolves.toMatchObject({ mods: 0, files: 0, bytes: 0 });
		await mkdir(path.join(dir, 'elsewhere'));
		await symlink(path.join(dir, 'elsewhere'), path.join(serverDir, 'mods'));
		await expect(take()).rejects.toMatchObject({ kind: 'conflict' });
		expect((await readdir(snapshotDir)).filter((name) => name.endsWith('.json'))).toHaveLength(1);
	});

	test('a file that keeps changing is left out, reported, and left alone later', async () => {
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

describe('a fingerprint', () => {
	const statsOf = (agoMs: number, restNs: bigint) =>
		({
			...{ size: 1n, ino: 2n, mtimeNs: 3n },
			ctimeNs: (BigInt(Date.now() - agoMs) / 1000n) * 1_000_000_000n + restNs
		}) as BigIntStats;

	test('is null while a second change could have the same time', () => {
		expect(fingerprint(statsOf(0, 999_999_999n))).toBeNull();
		expect(fingerprint(statsOf(-60_000, 5n))).toBeNull();
		expect(fingerprint(statsOf(2_500, 5n))).toMatch(/^1:3:\d+:2$/);
		// Whole seconds: a disk with a coarse clock.
		expect(fingerprint(statsOf(1_500, 0n))).toBeNull();
		expect(fingerprint(statsOf(10_000, 0n))).toMatch(/^1:3:\d+:2$/);
	});
});

describe('the store', () => {
	test('what only one snapshot needs is deleted with it, the rest stays', async () => {
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

	test('while a file list cannot be read, nothing is collected', async () => {
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

	test('notes and pins are kept with the snapshot, whatever they contain', async () => {
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
