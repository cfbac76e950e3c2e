import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createManualClock } from '../../../../../tests/fakes/manual-clock.ts';
import { STAT_METRICS } from '#schemas/plain/stat-metrics';
import { BoardQuery, PlayerStats } from '#schemas/stats';
import { emptyStats, type FileStats } from '../../minecraft/stats/stats.ts';
import type { PlayerFiles, StatsFolder } from '#minecraft/stats';
import { CACHE_MS, createStats } from './index.ts';
import { createSightings } from './sightings.ts';

const ANNE = '0228dc88-9371-4061-b8e1-1c14fe7a7da0';
const BEN = 'd2dd74d9-5422-47e6-bbc2-f992d586284e';
const NETHER = 'minecraft:the_nether';
const HOME = 'minecraft:overworld';

let dir: string;
let file: string;
const warn = vi.fn();
beforeEach(async () => {
	dir = await mkdtemp(path.join(os.tmpdir(), 'seen-'));
	file = path.join(dir, 'player-sightings.txt');
	warn.mockClear();
});
afterEach(() => rm(dir, { recursive: true }));

const written = '2026-01-01T00:00:00.000Z';
const files = (
	stats: Partial<FileStats>,
	advancements: PlayerFiles['advancements'] = null
): PlayerFiles => ({ stats: { ...emptyStats(), ...stats }, writtenAt: written, advancements });
const been = (nether: boolean) => ({ done: 3, recipes: 4, nether, end: false });

function setup(players: Record<string, PlayerFiles>, names: Record<string, string> = {}) {
	const clock = createManualClock();
	const map = new Map(Object.entries(players));
	let changes = 0;
	const scan = vi.fn<StatsFolder['scan']>(async () => {
		return { players: map, unreadable: [], changes: changes++ };
	});
	const folder = { scan, progress: () => null, close: async () => {} };
	const sightings = createSightings({ file, clock, warn });
	const known = new Map(Object.entries(names));
	const seen = new Map<string, string>();
	const stats = createStats({
		folder,
		names: async () => known,
		sightings,
		lastSeen: async () => seen,
		clock
	});
	const later = () => clock.advance(CACHE_MS);
	const one = async (uuid = ANNE) => (await stats.of(uuid))?.values;
	return { stats, scan, map, known, seen, later, one };
}

test('somebody was last seen when the logs say so: the date of a file is told as no more than that', async () => {
	const { stats, seen } = setup({ [ANNE]: files({ ticks: 2 }), [BEN]: files({ ticks: 1 }) });
	seen.set(ANNE, '2025-12-01T00:00:00.000Z');
	const { rows } = await stats.board(BoardQuery.parse({}));
	expect(rows).toMatchObject([
		{ uuid: ANNE, lastSeenAt: '2025-12-01T00:00:00.000Z', writtenAt: written },
		{ uuid: BEN, lastSeenAt: null, writtenAt: written }
	]);
});

test('a record has exactly the names and units of the contract', async () => {
	const { stats } = setup(
		{
			[ANNE]: files(
				{
					...{ ticks: 90, ticksSinceDeath: 50, mobKills: 1, playerKills: 3, deaths: 2 },
					...{ damageDealt: 255, damageTaken: 7, mined: 4, used: 5, crafted: 6, pickedUp: 7 },
					...{ uniquePickedUp: 2, chestsOpened: 8, centimetres: 12_345 },
					...{ villagerTrades: 9, fishCaught: 10, animalsBred: 11 }
				},
				been(true)
			)
		},
		{ [ANNE]: 'Anne' }
	);
	const { players, generatedAt } = await stats.list();
	expect(players).toEqual([
		{
			...{ uuid: ANNE, name: 'Anne', playtime: 4.5, longestLife: 2.5, mobKills: 1, playerKills: 3 },
			...{ deaths: 2, kdRatio: 1.5, damageDealt: 25.5, damageTaken: 0.7, blocksMined: 4 },
			...{ itemsUsed: 5, itemsCrafted: 6, itemsPickedUp: 7, uniqueItemsPickedUp: 2 },
			...{ chestsOpened: 8, distance: 123.45, netherTrips: 1, endTrips: 0, advancements: 3 },
			...{ recipesUnlocked: 4, villagerTrades: 9, fishCaught: 10, animalsBred: 11 }
		}
	]);
	expect(PlayerStats.parse(players[0])).toEqual(players[0]);
	expect(generatedAt).toBe('2026-01-02T03:04:05.000Z');
	expect(STAT_METRICS).toHaveLength(22);
});

test('a player who never died has lived for their whole playtime, and K/D does not divide by zero', async () => {
	const { one } = setup({ [ANNE]: files({ ticks: 400, ticksSinceDeath: 20, playerKills: 3 }) });
	expect(await one()).toMatchObject({ longestLife: 20, kdRatio: 3 });
});

test('playtime and statistics are one scan in 60 seconds, however many ask at once', async () => {
	const { stats, scan, later } = setup(
		{ [ANNE]: files({ ticks: 1 }), [BEN]: files({ ticks: 108_000 }) },
		{ [ANNE]: 'Anne' }
	);
	const [, playtime] = await Promise.all([stats.list(), stats.playtime(), stats.of(BEN)]);
	expect(playtime).toEqual({
		players: [
			{ uuid: BEN, name: BEN, ticks: 108_000, hours: 1.5, lastSeenAt: written },
			{ uuid: ANNE, name: 'Anne', ticks: 1, hours: 1 / 72_000, lastSeenAt: written }
		]
	});
	await stats.list();
	expect(scan).toHaveBeenCalledTimes(1);
	await later();
	await stats.playtime();
	expect(scan).toHaveBeenCalledTimes(2);
});

test('the list is the same array as long as nothing has changed', async () => {
	const { stats, scan, map, later } = setup({ [ANNE]: files({ ticks: 1 }) });
	let changes = 0;
	scan.mockImplementation(async () => ({ players: map, unreadable: [], changes }));
	const { players } = await stats.list();
	await later();
	expect((await stats.list()).players).toBe(players);
	map.set(BEN, files({ ticks: 2 }));
	changes++;
	await later();
	expect((await stats.list()).players.map(({ uuid }) => uuid)).toEqual([ANNE, BEN]);
	expect(scan).toHaveBeenCalledTimes(3);
});

test('a failed scan is retried by the next caller', async () => {
	const { stats, scan } = setup({ [ANNE]: files({}) });
	scan.mockRejectedValueOnce(new Error('disk'));
	await expect(stats.list()).rejects.toThrow('disk');
	expect((await stats.list()).players).toHaveLength(1);
});

test('two players of one name stay two, and a new name is shown', async () => {
	const { stats, known, later } = setup(
		{ [ANNE]: files({}), [BEN]: files({}) },
		{ [ANNE]: 'Anne', [BEN]: 'Anne' }
	);
	expect((await stats.list()).players.map(({ uuid }) => uuid)).toEqual([ANNE, BEN]);
	known.set(ANNE, 'Zoe');
	await later();
	expect((await stats.list()).players.map(({ name }) => name)).toEqual(['Anne', 'Zoe']);
});

test('the longest life that was seen survives a death, and a restart', async () => {
	const { stats, map, later, one } = setup({ [ANNE]: files({ ticks: 4_000 }) });
	expect((await one())?.longestLife).toBe(200);
	map.set(ANNE, files({ ticks: 4_100, deaths: 1, ticksSinceDeath: 20 }));
	await later();
	expect((await one())?.longestLife).toBe(200);
	await stats.close();
	const again = setup({ [ANNE]: files({ ticks: 4_200, deaths: 2, ticksSinceDeath: 0 }) });
	expect((await again.one())?.longestLife).toBe(200);
	again.map.set(ANNE, files({ ticks: 9_000, deaths: 2, ticksSinceDeath: 4_800 }));
	await again.later();
	expect((await again.one())?.longestLife).toBe(240);
});

test('trips are those that were seen, and one for an advancement that was there before', async () => {
	const { stats, map, later, one } = setup({
		[ANNE]: files({}, been(true)),
		[BEN]: files({}, been(false))
	});
	const go = (dimension: string | null) =>
		stats.sample([ANNE, BEN].map((uuid) => ({ uuid, dimension })));
	await go(NETHER); // first seen there: no change was observed
	await go(HOME);
	await go(NETHER);
	await go(null);
	await go(NETHER);
	map.set(BEN, files({}, been(true)));
	await later();
	// Ben's first trip was seen, and it is the one that the advancement is for.
	expect([(await one(ANNE))?.netherTrips, (await one(BEN))?.netherTrips]).toEqual([2, 1]);
	await go('minecraft:the_end');
	await go('mod:moon');
	await go(NETHER);
	await later();
	expect(await one(BEN)).toMatchObject({ netherTrips: 2, endTrips: 1 });
	await stats.close();
	const again = setup({ [BEN]: files({}, been(true)) });
	expect(await again.one(BEN)).toMatchObject({ netherTrips: 2, endTrips: 1 });
});

test('a damaged file of trips loses only its damaged lines', async () => {
	await writeFile(file, `${ANNE} 900 2* 0 nether\n${BEN} 9e9 x\n\0\0\n${BEN} 40`);
	const { one, stats } = setup({ [ANNE]: files({}, been(true)), [BEN]: files({}) });
	expect(await one()).toMatchObject({ longestLife: 45, netherTrips: 2 });
	expect(await one(BEN)).toMatchObject({ longestLife: 0 });
	expect(warn).toHaveBeenCalledWith('player-sightings.txt has 3 damaged lines, which are skipped');
	await stats.sample([{ uuid: BEN, dimension: HOME }]);
	await stats.close();
	expect((await stat(file)).mode & 0o777).toBe(0o600);
	expect(await readFile(file, 'utf8')).toBe(`${ANNE} 900 2* 0 nether\n${BEN} 0 0 0 elsewhere\n`);
});

test.skipIf(process.getuid?.() === 0)(
	'sightings that cannot be read are not written over',
	async () => {
		await writeFile(file, `${ANNE} 900 2 0 nether\n`);
		await chmod(file, 0);
		const { one, stats } = setup({ [ANNE]: files({ ticks: 20 }) });
		expect(await one()).toMatchObject({ longestLife: 1 });
		await stats.close();
		await chmod(file, 0o600);
		expect(warn).toHaveBeenCalledOnce();
		expect(await readFile(file, 'utf8')).toBe(`${ANNE} 900 2 0 nether\n`);
	}
);

const id = (i: number) => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`;
function crowd(count: number, deaths: (i: number) => number) {
	const players = Array.from({ length: count }, (_, i) => [id(i), files({ deaths: deaths(i) })]);
	const names = Array.from({ length: count }, (_, i) => [
		id(i),
		`player_${String(i).padStart(3, '0')}`
	]);
	return setup(Object.fromEntries(players), Object.fromEntries(names));
}
const ask = (query: object) => BoardQuery.parse(query);

test('the board has the top ten, descending, equal ones with the same rank and by name', async () => {
	const { stats } = crowd(40, (i) => Math.floor(i / 2));
	const board = await stats.board(ask({ metric: 'deaths' }));
	expect(board.rows.map(({ rank, name, value }) => `${rank} ${name} ${value}`)).toEqual([
		...['1 player_038 19', '1 player_039 19', '3 player_036 18', '3 player_037 18'],
		...['5 player_034 17', '5 player_035 17', '7 player_032 16', '7 player_033 16'],
		...['9 player_030 15', '9 player_031 15']
	]);
	expect(board).toMatchObject({ best: 19, ranked: 38, players: 40, pages: 1 });
});

test('the whole board is paged, and a search keeps the ranks', async () => {
	const { stats } = crowd(700, (i) => i);
	const second = await stats.board(ask({ metric: 'deaths', show: 'all', page: 2 }));
	expect([second.rows.length, second.rows[0]?.rank, second.pages]).toEqual([300, 301, 3]);
	const last = await stats.board(ask({ metric: 'deaths', show: 'all', page: 99 }));
	expect([last.rows.length, last.rows.at(-1)?.rank, last.page]).toEqual([99, 699, 3]);
	const search = await stats.board(ask({ metric: 'deaths', q: 'R_69' }));
	expect(search.rows.map(({ rank }) => rank)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
	expect((await stats.board(ask({ metric: 'deaths', q: id(5) }))).rows).toMatchObject([
		{ rank: 695, value: 5 }
	]);
});

test('invalid query values show the beginning, and nobody is ranked without a value', async () => {
	const { stats } = crowd(3, () => 0);
	const query = ask({ metric: 'constructor', show: '<b>', page: '-1', q: 'x'.repeat(101) });
	expect(query).toEqual({ metric: 'playtime', show: 'top', page: 1, q: '' });
	expect(await stats.board(query)).toMatchObject({ rows: [], best: 0, players: 3 });
});

test('players have their rank in each metric, and none where they have no value', async () => {
	const { stats } = crowd(10, (i) => i);
	expect(await stats.of(id(7))).toMatchObject({
		values: { deaths: 7 },
		ranks: { deaths: 3, playtime: null },
		players: 10
	});
	expect((await stats.of(id(0)))?.ranks.deaths).toBeNull();
	expect(await stats.of(ANNE)).toBeNull();
});

test('files that cannot be read are named', async () => {
	const { stats, scan, map } = setup({});
	scan.mockResolvedValueOnce({
		players: map,
		unreadable: ['stats/a', 'stats/b', 'c', 'd', 'e'],
		changes: 1
	});
	const { problem } = await stats.board(ask({}));
	expect(problem).toMatch(/^Cannot be read at the moment: stats\/a, stats\/b, c and 2 more\./);
});

test('for unreadable statistics everything is unknown, and they come last', async () => {
	const nothing: PlayerFiles = { stats: null, writtenAt: written, advancements: null };
	const { stats, one } = setup(
		{ [ANNE]: nothing, [BEN]: files({ ticks: 20, deaths: 2 }, been(false)) },
		{ [ANNE]: 'Anne', [BEN]: 'Ben' }
	);
	const values = await one();
	expect(STAT_METRICS.filter((metric) => values?.[metric] !== null)).toEqual([]);
	expect(PlayerStats.parse(values)).toEqual(values);
	expect((await stats.playtime()).players).toMatchObject([
		{ name: 'Ben', ticks: 20 },
		{ name: 'Anne', ticks: null, hours: null }
	]);
	for (const show of ['top', 'all'])
		expect(await stats.board(ask({ metric: 'deaths', show }))).toMatchObject({
			rows: [
				{ name: 'Ben', rank: 1, value: 2 },
				{ name: 'Anne', rank: null, value: null }
			],
			ranked: 2
		});
	expect((await stats.of(ANNE))?.ranks.deaths).toBeNull();
});

test('what was seen of a player is known even without their files', async () => {
	await writeFile(file, `${ANNE} 900 2 0 nether\n`);
	const { one } = setup({ [ANNE]: { stats: null, writtenAt: written, advancements: null } });
	expect(await one()).toMatchObject({ longestLife: 45, netherTrips: 2, endTrips: null });
});
