import { chmod, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { openStore, picture, plant, stored } from '../fakes/archives/snapshot-folders.ts';
import { CALLS, EXPLORE_LIMIT_MS, FAULTS, explore, obstacle, type Outcome } from './explore.ts';

const why = obstacle();
const program = path.resolve('tests/faults/programs/snapshot.ts');
const RIGHTS = ['chmod', 'fchmodat', 'symlink', 'symlinkat', 'rmdir', 'utimensat', 'fchown'];
const about = { reason: 'manual', operationId: null, by: null, note: '' } as const;
const dataOf = (dir: string) => path.join(dir, 'data');
const serverOf = (dir: string) => path.join(dir, 'data', 'server');

async function withStore<T>(dir: string, work: (kit: ReturnType<typeof openStore>) => Promise<T>) {
	const kit = openStore(dataOf(dir));
	return work(kit).finally(() => kit.store.close());
}

/** A set of mods, a snapshot of it, and another set; the pictures of both are kept beside. */
async function prepare(dir: string) {
	const server = serverOf(dir);
	const at = (name: string) => path.join(server, name);
	await plant(server, {
		'mods/stays.jar': 'stays',
		'mods/changes.jar': 'one',
		'mods/goes.jar': 'goes',
		'mods/turns.jar': 'off and on',
		'config/a/b.toml': 'b = 1',
		'config/becomes-folder': 'file',
		'ops.json': '[]'
	});
	await symlink('../ops.json', at('config/link'));
	await withStore(dir, ({ store }) => store.take(about));
	await writeFile(path.join(dir, 'then'), JSON.stringify(await picture(server)));

	await plant(server, {
		'mods/changes.jar': 'two',
		'mods/comes.jar': 'comes',
		'config/more/c.toml': 'c = 1',
		'defaultconfigs/d.toml': 'd = 1'
	});
	for (const name of ['mods/goes.jar', 'config/a', 'config/becomes-folder', 'config/link'])
		await rm(at(name), { recursive: true });
	await plant(server, { 'config/becomes-folder/e.toml': 'e = 1' });
	await rename(at('mods/turns.jar'), at('mods/turns.jar.disabled'));
	await chmod(at('mods/stays.jar'), 0o600);
	await writeFile(path.join(dir, 'now'), JSON.stringify(await picture(server)));
}

const kept = async (dir: string, name: 'then' | 'now'): Promise<Record<string, string>> =>
	JSON.parse(await readFile(path.join(dir, name), 'utf8'));

/** Without what a killed one left beside the mods, which no loader loads and the next one removes. */
async function live(dir: string) {
	const all = Object.entries(await picture(serverOf(dir)));
	return Object.fromEntries(all.filter(([name]) => !name.includes('/.craftwarden-restore-')));
}

async function checkTaken(dir: string, { fault, lines }: Outcome) {
	const [then, now] = [await kept(dir, 'then'), await kept(dir, 'now')];
	expect(await picture(serverOf(dir))).toEqual(now);
	await withStore(dir, async ({ store, snapshotDir }) => {
		const list = await store.list();
		const told = lines.find((line) => line.startsWith('taken'))?.split(' ')[1];
		if (told) expect(list.map(({ id }) => id)).toContain(told);
		else if (fault !== 'SIGKILL') expect(list).toHaveLength(1);
		for (const { id } of list) expect(await store.verify(id)).toMatchObject({ problem: null });
		for (const { id, reason } of list) {
			await store.putBack(id);
			expect(await picture(serverOf(dir))).toEqual(reason === about.reason ? then : now);
		}
		await store.remove(list.map(({ id }) => id));
		expect(await stored(snapshotDir)).toMatchObject({ count: 0 });
	});
}

async function checkPutBack(dir: string, { fault, lines }: Outcome) {
	const [then, now] = [await kept(dir, 'then'), await kept(dir, 'now')];
	const found = await live(dir);
	const [word, code] = lines.at(-1)?.split(' ') ?? [];
	if (word === 'done') expect(found).toEqual(then);
	else if (code === 'left-behind') {
		// The emptied root, too, may still be there.
		delete found['defaultconfigs'];
		expect(found).toEqual(then);
	} else if (word === 'refused' && code !== 'half-restored') expect(found).toEqual(now);
	else {
		if (!word) expect(fault).toBe('SIGKILL');
		// Half way each file is still a whole one, of then or of now.
		for (const [name, looks] of Object.entries(found).filter(([, looks]) => !/folder$/.test(looks)))
			expect([then[name], now[name]]).toContain(looks);
	}
	// Only a disk that refuses every change of a name can keep it from being undone.
	if (code === 'half-restored') expect(fault).toMatch(/from then on$/);
	await withStore(dir, async ({ store }) => {
		const { id } = (await store.list())[0]!;
		await store.putBack(id);
		expect(await picture(serverOf(dir))).toEqual(then);
		expect(await store.verify(id)).toMatchObject({ problem: null });
	});
}

describe.skipIf(why)(`a snapshot${why ? ` (${why})` : ''}`, { timeout: EXPLORE_LIMIT_MS }, () => {
	test('taken while killed or refused at any call: complete or absent, and the mods untouched', async () => {
		const hits = await explore({
			...{ program, prepare, check: checkTaken, sample: 6 },
			faults: [...FAULTS, 'EACCES', 'EROFS from then on'],
			args: (dir) => [dataOf(dir), 'take']
		});
		expect(hits).toBeGreaterThan(2);
	});

	test('restored while killed or refused at any call: exact after a repeat, all old until then', async () => {
		const hits = await explore({
			...{ program, prepare, check: checkPutBack, sample: 9 },
			calls: [...CALLS, ...RIGHTS],
			faults: [...FAULTS, 'EACCES', 'EROFS from then on'],
			args: (dir) => [dataOf(dir), 'put-back']
		});
		expect(hits).toBeGreaterThan(3);
	});
});
