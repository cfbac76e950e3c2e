import type { PlayerNumbers, PlayerStats } from '#schemas/stats';
import type { FileStats, PlayerFiles } from '#minecraft/stats';
import type { Seen } from './sightings.ts';

/** One player as of a scan. */
export type One = {
	stats: PlayerStats;
	ticks: number;
	favourites: PlayerNumbers['favourites'];
	lastSeenAt: string | null;
	/** By his advancements. */
	been: { nether: boolean; end: boolean };
	/** What it was made of. */
	files: PlayerFiles;
	seen: Seen | null;
};

const TICKS_PER_SECOND = 20;
export const TICKS_PER_HOUR = 3600 * TICKS_PER_SECOND;
/** The game counts damage in tenths of a health point, ways in centimetres. */
const PER_HEALTH_POINT = 10;
const PER_METRE = 100;

const NOTHING: Omit<FileStats, 'blocks' | 'items' | 'mobs'> = {
	...{ ticks: 0, ticksSinceDeath: 0, mobKills: 0, playerKills: 0, deaths: 0 },
	...{ damageDealt: 0, damageTaken: 0, mined: 0, used: 0, crafted: 0, pickedUp: 0 },
	...{ uniquePickedUp: 0, chestsOpened: 0, centimetres: 0 },
	...{ villagerTrades: 0, fishCaught: 0, animalsBred: 0 }
};

/** The present life in ticks: all his play while he never died. */
export function lifeOf({ stats }: PlayerFiles): number {
	const { deaths, ticks, ticksSinceDeath } = stats ?? NOTHING;
	return deaths === 0 ? ticks : ticksSinceDeath;
}

type Parts = { uuid: string; name: string; files: PlayerFiles; seen: Seen | null };

export function recordOf({ uuid, name, files, seen }: Parts): One {
	const file = files.stats ?? NOTHING;
	const { done = 0, recipes = 0, nether = false, end = false } = files.advancements ?? {};
	const life = Math.max(lifeOf(files), seen?.lifeTicks ?? 0);
	const stats: PlayerStats = {
		uuid,
		name,
		playtime: file.ticks / TICKS_PER_SECOND,
		longestLife: life / TICKS_PER_SECOND,
		mobKills: file.mobKills,
		playerKills: file.playerKills,
		deaths: file.deaths,
		kdRatio: file.playerKills / Math.max(1, file.deaths),
		damageDealt: file.damageDealt / PER_HEALTH_POINT,
		damageTaken: file.damageTaken / PER_HEALTH_POINT,
		blocksMined: file.mined,
		itemsUsed: file.used,
		itemsCrafted: file.crafted,
		itemsPickedUp: file.pickedUp,
		uniqueItemsPickedUp: file.uniquePickedUp,
		chestsOpened: file.chestsOpened,
		distance: file.centimetres / PER_METRE,
		netherTrips: trips(nether, seen?.nether),
		endTrips: trips(end, seen?.end),
		advancements: done,
		recipesUnlocked: recipes,
		villagerTrades: file.villagerTrades,
		fishCaught: file.fishCaught,
		animalsBred: file.animalsBred
	};
	const { blocks = [], items = [], mobs = [] } = files.stats ?? {};
	return {
		...{ stats, ticks: file.ticks, favourites: { blocks, items, mobs } },
		...{ lastSeenAt: files.writtenAt, been: { nether, end }, files, seen }
	};
}

/** The advancement stands for the first trip, unless that one was seen itself. */
const trips = (been: boolean, seen = { trips: 0, first: false }) =>
	seen.trips + (been && !seen.first ? 1 : 0);

/** Every player at one moment. */
export type Snapshot = {
	/** By name. */
	all: One[];
	byId: ReadonlyMap<string, One>;
	unreadable: string[];
	generatedAt: string;
};
