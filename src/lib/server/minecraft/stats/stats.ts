import { typedOf } from './flat.ts';
import { AIR, isObject, statValue, type Typed } from './value.ts';

export type Counted = { id: string; count: number };

/** What a statistics file says, in the game's own units: whole numbers, never negative. */
export type FileStats = {
	/** Ticks of play, 20 a second. */
	ticks: number;
	ticksSinceDeath: number;
	mobKills: number;
	playerKills: number;
	deaths: number;
	/** Tenths of a health point. */
	damageDealt: number;
	damageTaken: number;
	mined: number;
	used: number;
	crafted: number;
	pickedUp: number;
	/** Different items. */
	uniquePickedUp: number;
	chestsOpened: number;
	/** By every means of moving, those of mods too. */
	centimetres: number;
	villagerTrades: number;
	fishCaught: number;
	animalsBred: number;
	/** The most mined, used and killed. */
	blocks: Counted[];
	items: Counted[];
	mobs: Counted[];
};
type Numbers = Omit<FileStats, 'blocks' | 'items' | 'mobs'>;

export const FAVOURITES = 5;
/** Ids that can be shown; the game's own are shorter, and have no other characters. */
export const SHOWN_ID = /^[\w.-]{1,64}:[\w./-]{1,64}$/;
export const DISTANCE = '_one_cm';

/** Later entries win over earlier ones. */
export const CUSTOM: [string, keyof Numbers][] = [
	// Until 1.16; ticks, whatever the name says.
	['minecraft:play_one_minute', 'ticks'],
	['minecraft:play_time', 'ticks'],
	['minecraft:time_since_death', 'ticksSinceDeath'],
	['minecraft:mob_kills', 'mobKills'],
	['minecraft:player_kills', 'playerKills'],
	['minecraft:deaths', 'deaths'],
	['minecraft:damage_dealt', 'damageDealt'],
	['minecraft:damage_taken', 'damageTaken'],
	['minecraft:open_chest', 'chestsOpened'],
	['minecraft:traded_with_villager', 'villagerTrades'],
	['minecraft:fish_caught', 'fishCaught'],
	['minecraft:animals_bred', 'animalsBred']
];
/** Types of which the game's own files have at least one, as soon as they contain anything. */
export const OWN_TYPES: ReadonlySet<string> = new Set(
	[
		'custom',
		'mined',
		'crafted',
		'used',
		'broken',
		'picked_up',
		'dropped',
		'killed',
		'killed_by'
	].map((type) => `minecraft:${type}`)
);

/**
 * Reads the parsed content of a statistics file of any version: `{ stats: { <type>: { <id>: n } } }`, and the flat `{
 * "stat.<type>.<id>": n }` of 1.12 and before. A single value that is not a number counts as 0. Returns `unknown` for
 * statistics in another server's format, or null when it is not such a file at all.
 */
export function readStats(root: unknown): FileStats | 'unknown' | null {
	if (!isObject(root)) return null;
	const types = Object.hasOwn(root, 'stats') ? root['stats'] : typedOf(root);
	if (!isObject(types)) return Object.hasOwn(root, 'stats') ? null : 'unknown';
	if (Object.hasOwn(root, 'stats') && !isOwn(Object.keys(types))) return 'unknown';
	const of = (type: string) => own(types, `minecraft:${type}`);
	const [mined, used, pickedUp] = [of('mined'), of('used'), sum(of('picked_up'))];
	const stats: FileStats = {
		...emptyStats(),
		mined: sum(mined).total,
		used: sum(used).total,
		crafted: sum(of('crafted')).total,
		pickedUp: pickedUp.total,
		uniquePickedUp: pickedUp.different,
		blocks: greatest(mined),
		items: greatest(used),
		mobs: greatest(of('killed'))
	};
	const custom = of('custom');
	for (const [id, name] of CUSTOM)
		if (Object.hasOwn(custom, id)) stats[name] = statValue(custom[id]);
	for (const id of Object.keys(custom))
		if (id.endsWith(DISTANCE)) stats.centimetres += statValue(custom[id]);
	return stats;
}

const isOwn = (types: string[]) => types.length === 0 || types.some((type) => OWN_TYPES.has(type));

function own(types: Typed, type: string): Record<string, unknown> {
	const ids = Object.hasOwn(types, type) ? types[type] : null;
	return isObject(ids) ? ids : {};
}

/**
 * Whether something was done: neither 0 nor air. Going through the values alone is much faster than through the keys.
 */
function sum(ids: Record<string, unknown>) {
	let total = 0;
	let different = 0;
	for (const raw of Object.values(ids)) {
		const value = statValue(raw);
		total += value;
		if (value > 0) different++;
	}
	const air = Object.hasOwn(ids, AIR) ? statValue(ids[AIR]) : 0;
	return { total: total - air, different: air > 0 ? different - 1 : different };
}

/** The greatest first; among equals, the one whose id comes first. */
function greatest(ids: Record<string, unknown>): Counted[] {
	const names = Object.keys(ids);
	const best: Counted[] = [];
	let least = 1;
	const counts = Object.values(ids);
	for (let i = 0; i < counts.length; i++) {
		const count = statValue(counts[i]);
		if (count < least) continue;
		const id = names[i]!;
		if (id === AIR || !SHOWN_ID.test(id)) continue;
		const after = best.findIndex(
			(one) => one.count < count || (one.count === count && one.id > id)
		);
		best.splice(after < 0 ? best.length : after, 0, { id, count });
		if (best.length > FAVOURITES) best.pop();
		if (best.length === FAVOURITES) least = best[FAVOURITES - 1]!.count;
	}
	return best;
}

export const emptyStats = (): FileStats => ({
	ticks: 0,
	ticksSinceDeath: 0,
	mobKills: 0,
	playerKills: 0,
	deaths: 0,
	damageDealt: 0,
	damageTaken: 0,
	mined: 0,
	used: 0,
	crafted: 0,
	pickedUp: 0,
	uniquePickedUp: 0,
	chestsOpened: 0,
	centimetres: 0,
	villagerTrades: 0,
	fishCaught: 0,
	animalsBred: 0,
	blocks: [],
	items: [],
	mobs: []
});
