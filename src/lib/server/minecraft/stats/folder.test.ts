import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
	chmod,
	mkdir,
	mkdtemp,
	rename,
	rm,
	symlink,
	truncate,
	utimes,
	writeFile
} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PLAYER_FILE_MAX_BYTES } from './file.ts';
import { createStatsFolder, type StatsFolder } from './folder.ts';

const ANNE = '0228dc88-9371-4061-b8e1-1c14fe7a7da0';
const BEN = 'd2dd74d9-5422-47e6-bbc2-f992d586284e';
const LONG_AGO = new Date(1_700_000_000_000);

let world: string;
const open: StatsFolder[] = [];
beforeEach(async () => {
	world = await mkdtemp(path.join(os.tmpdir(), 'stats-'));
});
afterEach(async () => {
	await Promise.all(open.splice(0).map((folder) => folder.close()));
	await rm(world, { recursive: true });
});

function folder(worldDir = async () => world): StatsFolder {
	const made = createStatsFolder({ worldDir });
	open.push(made);
	return made;
}
const mined = (count: number) =>
	JSON.stringify({ stats: { 'minecraft:mined': { 'minecraft:stone': count } } });
const nether = JSON.stringify({ 'minecraft:nether/root': { criteria: {}, done: true } });

/** Long ago, as most files are. */
async function put(name: string, text: string, at = LONG_AGO) {
	const file = path.join(world, name);
	await mkdir(path.dirname(file), { recursive: true });
	await writeFile(file, text);
	await utimes(file, at, at);
}
async function minedBy(stats: StatsFolder, uuid = ANNE) {
	return (await stats.scan()).players.get(uuid)?.stats?.mined;
}

test.each(['', 'players/'])('both files of a player are joined in %sstats', async (prefix) => {
	await put(`${prefix}stats/${ANNE}.json`, mined(3));
	await put(`${prefix}advancements/${ANNE}.json`, nether);
	await put(`${prefix}advancements/${BEN}.json`, nether);
	const { players, unreadable } = await folder().scan();
	expect(players.get(ANNE)).toMatchObject({
		stats: { mined: 3 },
		writtenAt: LONG_AGO.toISOString(),
		advancements: { nether: true }
	});
	expect(players.get(BEN)).toMatchObject({ stats: null, writtenAt: null });
	expect([players.size, unreadable]).toEqual([2, []]);
});

test.each([1, 200])('an unknown format is reported as such, for %i files', async (count) => {
	const ids = [ANNE, ...Array.from({ length: count - 1 }, () => randomUUID())];
	for (const id of ids) await put(`stats/${id}.json`, '{"stats":{"custom":{"play_time":9}}}');
	await put(`stats/${BEN}.json`, mined(3));
	await put(`advancements/${BEN}.json`, '{"advancements":{"root":true}}');
	const { players, unreadable } = await folder().scan();
	for (const id of ids) expect(players.get(id)).toMatchObject({ stats: null, advancements: null });
	expect(players.get(BEN)).toMatchObject({ stats: { mined: 3 }, advancements: null });
	expect([players.size, unreadable]).toEqual([count + 1, []]);
});

test('for a player with statistics, what the game has not written counts as zero', async () => {
	await put(`stats/${ANNE}.json`, mined(3));
	expect((await folder().scan()).players.get(ANNE)?.advancements).toMatchObject({ done: 0 });
});

test('without a world there are no players', async () => {
	await rm(world, { recursive: true });
	const { players, unreadable } = await folder().scan();
	expect([players.size, unreadable]).toEqual([0, []]);
	await mkdir(world);
});

test('of two files of one player the last written one counts', async () => {
	await put(`stats/${ANNE}.json`, mined(1));
	await put(`players/stats/${ANNE}.json`, mined(2), new Date(LONG_AGO.getTime() + 1000));
	expect(await minedBy(folder())).toBe(2);
});

test('files that do not belong to a player are skipped', async () => {
	await put(`stats/${ANNE}.json`, mined(1));
	for (const name of [
		`${BEN.toUpperCase()}.json`,
		`${BEN.replaceAll('-', '')}.json`,
		`${BEN}.json.bak`,
		`${BEN}`,
		'notch.json',
		'__proto__.json',
		'.json'
	])
		await put(`stats/${name}`, mined(9));
	const ids = Array.from({ length: 4 }, () => randomUUID());
	await symlink(path.join(world, `stats/${ANNE}.json`), path.join(world, `stats/${ids[0]}.json`));
	await symlink('/etc/passwd', path.join(world, `stats/${ids[1]}.json`));
	execFileSync('mkfifo', [path.join(world, `stats/${ids[2]}.json`)]);
	await mkdir(path.join(world, `stats/${ids[3]}.json`));
	const { players, unreadable } = await folder().scan();
	expect([[...players.keys()], unreadable]).toEqual([[ANNE], []]);
});

test.each([
	['empty', ''],
	['cut off', mined(7).slice(0, -5)],
	['of NULs', '\0'.repeat(500)],
	['no object', '[1,2]']
])(
	'a file that is %s keeps its last good values, and is read again once it is complete',
	async (_what, torn) => {
		const stats = folder();
		const file = `stats/${ANNE}.json`;
		await put(file, mined(5));
		await stats.scan();
		await put(file, torn, new Date());
		const { players, unreadable } = await stats.scan();
		expect(players.get(ANNE)?.stats?.mined).toBe(5);
		expect(unreadable).toEqual([file]);
		await put(file, mined(6));
		expect(await minedBy(stats)).toBe(6);
		expect((await stats.scan()).unreadable).toEqual([]);
	}
);

test('a byte order mark and trailing line breaks do no harm', async () => {
	await put(`stats/${ANNE}.json`, `\ufeff${mined(5)}\r\n`);
	await put(`advancements/${ANNE}.json`, `\ufeff${nether}`);
	const { players } = await folder().scan();
	expect(players.get(ANNE)).toMatchObject({ stats: { mined: 5 }, advancements: { nether: true } });
});

test('a player whose statistics were never readable is not shown as one who did nothing', async () => {
	await put(`stats/${ANNE}.json`, '{');
	await put(`advancements/${ANNE}.json`, nether);
	const { players, unreadable } = await folder().scan();
	expect([players.size, unreadable]).toEqual([0, [`stats/${ANNE}.json`]]);
});

test('a file over 2 MB is not read, one of that size with nothing but keys is', async () => {
	await put(`stats/${ANNE}.json`, '{}');
	await truncate(path.join(world, `stats/${ANNE}.json`), 50 * 2 ** 20);
	let keys = '';
	for (let i = 0; keys.length < PLAYER_FILE_MAX_BYTES - 100; i++) keys += `"m:${i}":1,`;
	await put(`stats/${BEN}.json`, `{"stats":{"minecraft:mined":{${keys}"${'x'.repeat(50)}":1}}}`);
	const { players, unreadable } = await folder().scan();
	expect(unreadable).toEqual([`stats/${ANNE}.json`]);
	expect(players.get(BEN)?.stats?.mined).toBeGreaterThan(100_000);
});

test('a file nested ten thousand levels deep does no harm', async () => {
	const deep = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
	await put(`stats/${ANNE}.json`, `{"stats":${deep}}`);
	await put(`stats/${BEN}.json`, '['.repeat(10_000));
	const { players } = await folder().scan();
	expect([...players.keys()]).toEqual([ANNE]);
});

test('unchanged files are not read again, and the same object shows it', async () => {
	const stats = folder();
	await put(`stats/${ANNE}.json`, mined(5));
	const before = (await stats.scan()).players.get(ANNE);
	// Other content with the same size, time and inode: only who reads it again would notice.
	await put(`stats/${ANNE}.json`, mined(6));
	expect((await stats.scan()).players.get(ANNE)).toBe(before);
});

test.each([
	['its size', () => put(`stats/${ANNE}.json`, ` ${mined(66)}`)],
	['its time', () => put(`stats/${ANNE}.json`, mined(66), new Date(1_600_000_000_000))],
	[
		'its inode',
		async () => {
			await put('new', mined(66));
			await rename(path.join(world, 'new'), path.join(world, `stats/${ANNE}.json`));
		}
	]
])(
	'a file that changed %s is read again, and removed players are forgotten',
	async (_what, change) => {
		const stats = folder();
		await put(`stats/${ANNE}.json`, mined(55));
		await put(`stats/${BEN}.json`, mined(1));
		await stats.scan();
		await change();
		await rm(path.join(world, `stats/${BEN}.json`));
		const { players } = await stats.scan();
		expect([players.get(ANNE)?.stats?.mined, players.size]).toEqual([66, 1]);
	}
);

test('a file that was just written does not count as settled', async () => {
	const stats = folder();
	const now = new Date();
	await put(`stats/${ANNE}.json`, mined(5), now);
	expect(await minedBy(stats)).toBe(5);
	await put(`stats/${ANNE}.json`, mined(6), now);
	expect(await minedBy(stats)).toBe(6);
});

test('another world has other players', async () => {
	const worlds = ['a', 'b'];
	const stats = folder(async () => path.join(world, worlds[0]!));
	await put(`a/stats/${ANNE}.json`, mined(1));
	await put(`b/stats/${BEN}.json`, mined(2));
	expect([...(await stats.scan()).players.keys()]).toEqual([ANNE]);
	worlds.shift();
	expect([...(await stats.scan()).players.keys()]).toEqual([BEN]);
});

test.skipIf(process.getuid?.() === 0)(
	'of a folder that may not be read nobody is gone',
	async () => {
		const stats = folder();
		await put(`stats/${ANNE}.json`, mined(1));
		await stats.scan();
		await chmod(path.join(world, 'stats'), 0);
		const { players, unreadable } = await stats.scan();
		await chmod(path.join(world, 'stats'), 0o700);
		expect([players.size, unreadable]).toEqual([1, ['the folder stats (permission was denied)']]);
	}
);

test('many files are read in a thread that ends afterwards, and reports its progress', async () => {
	const ids = Array.from({ length: 250 }, () => randomUUID());
	for (const [i, id] of ids.entries()) await put(`stats/${id}.json`, i === 7 ? '{' : mined(i + 1));
	const stats = folder();
	const scanning = stats.scan();
	expect(stats.scan()).toBe(scanning);
	const seen: (number | undefined)[] = [];
	let running = true;
	const watch = () => {
		seen.push(stats.progress()?.done);
		if (running) setImmediate(watch);
	};
	watch();
	const { players, unreadable } = await scanning;
	running = false;
	expect(players.size).toBe(249);
	expect(players.get(ids[249]!)?.stats?.mined).toBe(250);
	expect(unreadable).toEqual([`stats/${ids[7]}.json`]);
	expect(seen).toContain(0);
	expect(stats.progress()).toBeNull();
	expect(process.getActiveResourcesInfo()).not.toContain('MessagePort');
});

test('with very many players the advancements of those online are updated at once, the others over time', async () => {
	const ids = Array.from({ length: 30 }, () => randomUUID());
	for (const id of ids) await put(`advancements/${id}.json`, '{}');
	await put(`stats/${ids[0]}.json`, mined(1));
	const stats = createStatsFolder({ worldDir: async () => world, everyMax: 20 });
	open.push(stats);
	await stats.scan();
	const been = async (id: string) => (await stats.scan()).players.get(id)?.advancements?.nether;
	await put(`stats/${ids[0]}.json`, mined(22));
	await put(`advancements/${ids[0]}.json`, nether);
	expect(await been(ids[0]!)).toBe(true);
	await put(`advancements/${ids[1]}.json`, nether);
	const tries: (boolean | undefined)[] = [];
	for (let i = 0; i < 10; i++) tries.push(await been(ids[1]!));
	expect(tries.at(-1)).toBe(true);
});

test('closing ends a scan at once', async () => {
	for (let i = 0; i < 100; i++) await put(`stats/${randomUUID()}.json`, mined(1));
	const stats = folder();
	const ended = expect(stats.scan()).rejects.toMatchObject({ kind: 'busy' });
	await stats.close();
	await ended;
	await expect(stats.scan()).rejects.toMatchObject({ kind: 'busy' });
});
