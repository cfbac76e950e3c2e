import fs from 'node:fs';
import path from 'node:path';
import { javaDate } from './java-time.ts';
import type { Random } from '../pace.ts';
import { DATA_VERSION } from './version.ts';

export type Stats = Record<string, Record<string, number>>;
export type Advancements = Record<string, { criteria: Record<string, string>; done: boolean }>;
export type PlayerRecord = { stats: Stats; advancements: Advancements };

const MAX_VALUE = 2 ** 31 - 1;

const files = (world: string, uuid: string) => ({
	stats: path.join(world, 'stats', `${uuid}.json`),
	advancements: path.join(world, 'advancements', `${uuid}.json`)
});

export function loadRecord(world: string, uuid: string): PlayerRecord {
	const { stats, advancements } = files(world, uuid);
	const done = readJson(advancements);
	delete done.DataVersion;
	const stored = readJson(stats).stats;
	return { stats: (stored ?? {}) as Stats, advancements: done as Advancements };
}

function readJson(file: string): Record<string, unknown> {
	try {
		return JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, unknown>;
	} catch {
		// Missing or broken: the game starts such a player anew.
		return {};
	}
}

/** In place, as the game does: a reader may see half a file. */
export function saveRecord(world: string, uuid: string, record: PlayerRecord): void {
	const { stats, advancements } = files(world, uuid);
	fs.mkdirSync(path.dirname(stats), { recursive: true });
	fs.mkdirSync(path.dirname(advancements), { recursive: true });
	fs.writeFileSync(stats, JSON.stringify({ stats: record.stats, DataVersion: DATA_VERSION }));
	const done = { ...record.advancements, DataVersion: DATA_VERSION };
	fs.writeFileSync(advancements, JSON.stringify(done, null, 2));
}

export function add(stats: Stats, type: string, id: string, by: number): void {
	if (by <= 0) return;
	const group = (stats[`minecraft:${type}`] ??= {});
	const key = `minecraft:${id}`;
	group[key] = Math.min(MAX_VALUE, (group[key] ?? 0) + Math.round(by));
}

export function grant(advancements: Advancements, id: string, criterion: string, at: Date): void {
	advancements[id] = { criteria: { [criterion]: javaDate(at) }, done: true };
}

const BLOCKS = [
	'stone',
	'deepslate',
	'dirt',
	'oak_log',
	'iron_ore',
	'sand',
	'wheat',
	'cobblestone'
];
const MOBS = ['zombie', 'skeleton', 'creeper', 'spider', 'cow', 'chicken'];
const USED = ['stone_pickaxe', 'iron_axe', 'torch', 'bread', 'oak_planks', 'shield'];
const PICKED = ['cobblestone', 'rotten_flesh', 'oak_log', 'wheat_seeds', 'raw_iron', 'string'];
const CRAFTED = ['stick', 'torch', 'bread', 'oak_planks', 'iron_pickaxe'];

/** What so many ticks of ordinary play leave behind. */
export function play(stats: Stats, ticks: number, random: Random): void {
	const custom = (id: string, by: number) => add(stats, 'custom', id, by);
	for (const id of ['play_time', 'total_world_time', 'time_since_death', 'time_since_rest'])
		custom(id, ticks);
	const some = (perMinute: number) => {
		const expected = (perMinute * ticks * 2 * random.next()) / 1200;
		return Math.floor(expected) + (random.chance(expected % 1) ? 1 : 0);
	};
	custom('walk_one_cm', some(9000));
	custom('sprint_one_cm', some(6000));
	custom('swim_one_cm', some(300));
	custom('fall_one_cm', some(400));
	custom('sneak_time', some(60));
	custom('jump', some(14));
	custom('damage_dealt', some(90));
	custom('damage_taken', some(25));
	custom('open_chest', some(0.8));
	custom('interact_with_crafting_table', some(0.4));
	custom('fish_caught', some(0.1));
	custom('animals_bred', some(0.08));
	custom('traded_with_villager', some(0.1));
	custom('sleep_in_bed', some(0.05));
	add(stats, 'mined', random.pick(BLOCKS), some(20));
	add(stats, 'mined', 'diamond_ore', some(0.05));
	add(stats, 'used', random.pick(USED), some(6));
	add(stats, 'picked_up', random.pick(PICKED), some(18));
	add(stats, 'crafted', random.pick(CRAFTED), some(2));
	add(stats, 'broken', 'stone_pickaxe', some(0.03));
	const kills = some(1.2);
	custom('mob_kills', kills);
	add(stats, 'killed', random.pick(MOBS), kills);
}

export function die(stats: Stats, killer: string | null): void {
	add(stats, 'custom', 'deaths', 1);
	const custom = stats['minecraft:custom']!;
	custom['minecraft:time_since_death'] = 0;
	custom['minecraft:time_since_rest'] = 0;
	if (killer) add(stats, 'killed_by', killer, 1);
}
