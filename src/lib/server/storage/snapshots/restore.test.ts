import { execFileSync } from 'node:child_process';
import { chmod, lstat, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { picture, plant, stored } from '../../../../../tests/fakes/archives/snapshot-folders.ts';
import { SETTLE_MS, setup, SERVER } from '../../../../../tests/fakes/archives/snapshot-kit.ts';

describe('restoring a snapshot', () => {
	test('everything is exactly as it was: content, modes, links, empty folders, unusual names', async () => {
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

	test('folders that were not there are removed, folders that were come back', async () => {
		const { take, serverDir, look, store } = await setup({ 'mods/a.jar': 'a' });
		const wanted = await look();
		const { id } = await take();
		await rm(path.join(serverDir, 'mods'), { recursive: true });
		await plant(serverDir, { 'config/a/b/c': 'c', 'defaultconfigs/': '' });
		await store.putBack(id);
		expect(await look()).toEqual(wanted);
	});

	test('changed file types change back, and no link is followed', async () => {
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
			'config/pipe is not in the snapshot: it is not a file, folder or link.'
		]);
		await writeFile(path.join(serverDir, 'mods/sodium.jar'), 'other');
		await store.putBack(id);
		expect((await lstat(pipe)).isFIFO()).toBe(true);
	});

	test('a world or our own folder inside the configuration is never entered', async () => {
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

	test('a world that was added later stays, and nothing is moved that would displace it', async () => {
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

	test('a damaged or missing copy is found before anything is changed', async () => {
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
		await expect(store.check(id)).resolves.toMatch(
			/a\.jar \(damaged\) and mods\/b\.jar \(damaged\)/
		);
		expect(await look()).toEqual(live);
	});

	test('the content of a damaged copy is stored again by the next snapshot', async () => {
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

	test('an altered or hostile file list is refused', async () => {
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

	test('leftovers of a killed restore in mods are neither included nor kept', async () => {
		const { take, serverDir, store, look } = await setup({ 'mods/a.jar': 'a' });
		const wanted = await look();
		await plant(serverDir, { 'mods/.craftwarden-restore-0123456789ab/old0': 'left' });
		const { id, files } = await take();
		expect(files).toBe(1);
		await store.putBack(id);
		expect(await look()).toEqual(wanted);
	});
});
