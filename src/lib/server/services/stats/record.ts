import type { PlayerNumbers, PlayerStats } from '#schemas/stats';
import type { PlayerFiles } from '#minecraft/stats';
import type { Seen } from './sightings.ts';

/** One player as of a scan. */
export type One = {
	stats: PlayerStats;
	ticks: number | null;
	favourites: PlayerNumbers['favourites'];
	lastSeenAt: string | null;
	/** According to their advancements. */
	been: { nether: boolean; end: boolean };
	/** What the record was made from. */
	files: PlayerFiles;
	seen: Seen | null;
};

const TICKS_PER_SECOND = 20;
export const TICKS_PER_HOUR = 3600 * TICKS_PER_SECOND;
/** The game counts damage in tenths of a health point, distances in centimetres. */
const PER_HEALTH_POINT = 10;
const PER_METRE = 100;

/** The current life in ticks: all their play time if they never died; null when it is not known. */
export function lifeOf({ stats }: PlayerFiles): number | null {
	return stats && (stats.deaths === 0 ? stats.ticks : stats.ticksSinceDeath);
}

type Parts = { uuid: string; name: string; files: PlayerFiles; seen: Seen | null };

export function recordOf({ uuid, name, files, seen }: Parts): One {
	const { stats: file, advancements } = files;
	const { nether = false, end = false } = advancements ?? {};
	const stats: PlayerStats = {
		uuid,
		name,
		playtime: per(TICKS_PER_SECOND, file?.ticks),
		longestLife: per(TICKS_PER_SECOND, longest(lifeOf(files), seen?.lifeTicks)),
		mobKills: file?.mobKills ?? null,
		playerKills: file?.playerKills ?? null,
		deaths: file?.deaths ?? null,
		kdRatio: file && file.playerKills / Math.max(1, file.deaths),
		damageDealt: per(PER_HEALTH_POINT, file?.damageDealt),
		damageTaken: per(PER_HEALTH_POINT, file?.damageTaken),
		blocksMined: file?.mined ?? null,
		itemsUsed: file?.used ?? null,
		itemsCrafted: file?.crafted ?? null,
		itemsPickedUp: file?.pickedUp ?? null,
		uniqueItemsPickedUp: file?.uniquePickedUp ?? null,
		chestsOpened: file?.chestsOpened ?? null,
		distance: per(PER_METRE, file?.centimetres),
		netherTrips: trips(advancements && nether, seen?.nether),
		endTrips: trips(advancements && end, seen?.end),
		advancements: advancements?.done ?? null,
		recipesUnlocked: advancements?.recipes ?? null,
		villagerTrades: file?.villagerTrades ?? null,
		fishCaught: file?.fishCaught ?? null,
		animalsBred: file?.animalsBred ?? null
	};
	const { blocks = [], items = [], mobs = [] } = file ?? {};
	return {
		...{ stats, ticks: file?.ticks ?? null, favourites: { blocks, items, mobs } },
		...{ lastSeenAt: files.writtenAt, been: { nether, end }, files, seen }
	};
}

const per = (unit: number, value: number | null | undefined) =>
	typeof value === 'number' ? value / unit : null;

/** The longer of the current life and the longest one seen; null when neither is known. */
const longest = (now: number | null, seen = 0) =>
	now === null ? seen || null : Math.max(now, seen);

/**
 * The advancement counts as the first trip, unless that trip was itself seen; null when there is no evidence of any.
 */
function trips(been: boolean | null, seen = { trips: 0, first: false }): number | null {
	if (been === null && seen.trips === 0) return null;
	return seen.trips + (been && !seen.first ? 1 : 0);
}

/** Every player at one moment. */
export type Snapshot = {
	/** By name. */
	all: One[];
	/** The same, in the form that the API answers. */
	list: PlayerStats[];
	byId: ReadonlyMap<string, One>;
	unreadable: string[];
	generatedAt: string;
};
