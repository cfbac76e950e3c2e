import { expect, test } from 'vitest';
import { readAdvancements } from './advancements.ts';
import { readStats } from './stats.ts';

const INT_MAX = 2 ** 31 - 1;
const numbers = (root: unknown) => {
	const read = readStats(JSON.parse(JSON.stringify(root)));
	return read === 'unknown' ? null : read;
};

test('a current file is added up by type, with every kind of movement, including those of mods', () => {
	const stats = numbers({
		stats: {
			'minecraft:custom': {
				...{ 'minecraft:play_time': 72_000, 'minecraft:time_since_death': 1_200 },
				...{ 'minecraft:walk_one_cm': 100, 'minecraft:fall_one_cm': 20 },
				...{ 'carts:cart_one_cm': 3, 'minecraft:open_chest': 4, 'minecraft:open_barrel': 9 },
				...{ 'minecraft:damage_dealt': 255, 'minecraft:deaths': 2, 'carts:horn': 77 }
			},
			'minecraft:mined': { 'minecraft:stone': 5, 'mod:ore': 6, 'minecraft:air': 3 },
			'minecraft:picked_up': { 'minecraft:dirt': 2, 'minecraft:egg': 0, 'minecraft:air': 1 },
			'minecraft:used': { 'minecraft:torch': 8 },
			'minecraft:crafted': { 'minecraft:torch': 4 },
			'minecraft:killed': { 'mod:pirate': 1, 'minecraft:pig': 2 },
			'mod:oiled': { 'mod:gear': 1_000 }
		},
		DataVersion: 3465
	});
	expect(stats).toMatchObject({
		...{ ticks: 72_000, ticksSinceDeath: 1_200, centimetres: 123, chestsOpened: 4 },
		...{ damageDealt: 255, deaths: 2, mined: 11, pickedUp: 2, uniquePickedUp: 1 },
		...{ used: 8, crafted: 4, mobKills: 0, fishCaught: 0 },
		blocks: [
			{ id: 'mod:ore', count: 6 },
			{ id: 'minecraft:stone', count: 5 }
		],
		mobs: [
			{ id: 'minecraft:pig', count: 2 },
			{ id: 'mod:pirate', count: 1 }
		]
	});
});

test('the playtime statistic has had two names, and both are in ticks', () => {
	const custom = (ids: object) => numbers({ stats: { 'minecraft:custom': ids } })?.ticks;
	expect(custom({ 'minecraft:play_one_minute': 20 })).toBe(20);
	expect(custom({ 'minecraft:play_one_minute': 20, 'minecraft:play_time': 40 })).toBe(40);
	expect(custom({ 'minecraft:play_time': 40, 'minecraft:play_one_minute': 20 })).toBe(40);
});

test('the flat file of 1.12 holds the same under its own names', () => {
	const stats = numbers({
		...{ 'stat.playOneMinute': 100, 'stat.timeSinceDeath': 7, 'stat.deaths': 1 },
		...{ 'stat.walkOneCm': 10, 'stat.aviateOneCm': 5, 'stat.carts.rideOneCm': 2 },
		...{ 'stat.mineBlock.minecraft.stone': 3, 'stat.mineBlock.mod.ore.deep': 4 },
		...{ 'stat.pickup.minecraft.air': 9, 'stat.pickup.minecraft.dirt': 1 },
		...{ 'stat.drop': 5, 'stat.drop.minecraft.dirt': 6, 'stat.chestOpened': 2 },
		...{ 'stat.killEntity.PigZombie': 2, 'stat.killEntity.WitherSkeleton': 1 },
		...{ 'stat.tradedWithVillager': { value: 3 }, 'stat.junkFished': 8 },
		'achievement.openInventory': 1,
		'achievement.exploreAllBiomes': { value: 0, progress: ['Plains'] }
	});
	expect(stats).toMatchObject({
		...{ ticks: 100, ticksSinceDeath: 7, deaths: 1, centimetres: 17, mined: 7 },
		...{ pickedUp: 1, uniquePickedUp: 1, chestsOpened: 2, villagerTrades: 3, fishCaught: 0 },
		blocks: [
			{ id: 'mod:ore.deep', count: 4 },
			{ id: 'minecraft:stone', count: 3 }
		],
		mobs: [
			{ id: 'minecraft:zombie_pigman', count: 2 },
			{ id: 'minecraft:wither_skeleton', count: 1 }
		]
	});
});

test('1.7 uses numeric ids for blocks and items, and air is 0', () => {
	const stats = numbers({
		...{ 'stat.mineBlock.1': 5, 'stat.mineBlock.0': 9, 'stat.useItem.277': 4 },
		...{ 'stat.pickup.3': 2, 'stat.pickup.0': 8, 'achievement.portal': 3 }
	});
	expect(stats).toMatchObject({ mined: 5, used: 4, pickedUp: 2, uniquePickedUp: 1 });
});

test('impossible values are clamped, or ignored', () => {
	const text = `{"stats":{"minecraft:mined":{"a:a":1e308,"a:b":1e999,"a:c":9007199254740993,"a:d":-5,"a:e":"7",
		"a:f":null,"a:g":{"a":1},"a:h":[1],"a:i":true,"a:j":2.9},"minecraft:used":7,"minecraft:crafted":[1,2]}}`;
	expect(readStats(JSON.parse(text))).toMatchObject({
		mined: 3 * INT_MAX + 2,
		used: 0,
		crafted: 0
	});
});

test('keys with a meaning in JavaScript are keys like any other', () => {
	const text = `{"__proto__":{"stats":1},"stats":{"__proto__":{"minecraft:deaths":5},"constructor":{"a:a":1},
		"minecraft:picked_up":{"__proto__":3,"constructor":1,"toString":2},
		"minecraft:custom":{"__proto__":9,"minecraft:deaths":1}}}`;
	const stats = readStats(JSON.parse(text));
	expect(stats).toMatchObject({ deaths: 1, pickedUp: 6, uniquePickedUp: 3 });
	expect(({} as { stats?: unknown }).stats).toBeUndefined();
	expect(
		readAdvancements(JSON.parse('{"__proto__":{"done":true},"toString":{"done":true}}'))
	).toEqual({ done: 2, recipes: 0, nether: false, end: false });
});

test('only the five greatest are kept, and only ids that can be shown', () => {
	const ids = Object.fromEntries(
		Array.from({ length: 300 }, (_, i) => [`mod:b${i}`, (i * 7) % 300])
	);
	const stats = numbers({
		stats: { 'minecraft:mined': { ...ids, '<b>x</b>': 999, '\u202ex:y': 998, x: 997 } }
	});
	expect(stats?.blocks.map(({ count }) => count)).toEqual([299, 298, 297, 296, 295]);
	expect(stats?.mined).toBe((299 * 300) / 2 + 999 + 998 + 997);
});

test.each([[null], [[]], ['x'], [7], [{ stats: 5 }], [{ stats: [] }]])(
	'%j is not a statistics file',
	(root) => {
		expect(readStats(root)).toBeNull();
	}
);

test('a player without statistics has an empty file', () => {
	expect(readStats({})).toMatchObject({ ticks: 0, blocks: [] });
});

test('advancements count when they are complete, and recipes separately', () => {
	const done = { criteria: { x: '2026-08-10 21:52:41 +0800' }, done: true };
	expect(
		readAdvancements({
			'minecraft:story/mine_stone': done,
			'minecraft:adventure/adventuring_time': { criteria: {}, done: false },
			'minecraft:recipes/misc/charcoal': done,
			'mod:recipes/gear': done,
			'mod:main/recipes/root': done,
			'minecraft:nether/root': done,
			'minecraft:end/root': { done: 'true' },
			odd: 7,
			DataVersion: 4903
		})
	).toEqual({ done: 3, recipes: 2, nether: true, end: false });
	expect(readAdvancements([])).toBeNull();
});

test('the format of other server software is unknown, not zero', () => {
	for (const root of [
		{ stats: { custom: { play_time: 72_000 }, killed: { pig: 2 } }, DataVersion: 1 },
		{ stats: { 'mod:oiled': { 'mod:gear': 1 } } },
		{ playTime: 72_000, deaths: 2 },
		{ DataVersion: 3465 }
	])
		expect(readStats(root), JSON.stringify(root)).toBe('unknown');
	// Somebody who has just come has done nothing.
	for (const root of [{}, { stats: {} }, { stats: {}, DataVersion: 3465 }])
		expect(readStats(root), JSON.stringify(root)).toMatchObject({ ticks: 0 });
	expect(readAdvancements({ advancements: { root: true } })).toBe('unknown');
	expect(readAdvancements({ DataVersion: 3465 })).toMatchObject({ done: 0 });
});
