import { z } from 'zod';
import { Time } from './common.ts';
import { BOARD_SEARCH_MAX } from './plain/limits.ts';
import { STAT_METRICS, type StatMetric } from './plain/stat-metrics.ts';

/** Null when it is not known: the statistics are missing, or in a format that no Minecraft server writes. */
const count = z.int().min(0).nullable();
const amount = z.number().min(0).nullable();

/** What one player has done, according to the game's files. */
const values = {
	/** Seconds. */
	playtime: amount,
	/** Seconds; the longest seen by sampling, never less than the current one. */
	longestLife: amount,
	mobKills: count,
	playerKills: count,
	deaths: count,
	/** Player kills divided by deaths, where no deaths count as one. */
	kdRatio: amount,
	/** Health points, two to a heart. */
	damageDealt: amount,
	damageTaken: amount,
	blocksMined: count,
	itemsUsed: count,
	itemsCrafted: count,
	itemsPickedUp: count,
	/** Different items. */
	uniqueItemsPickedUp: count,
	chestsOpened: count,
	/** Metres, by every way of moving, including falling and climbing. */
	distance: amount,
	/** 1 for the advancement, plus what was seen by sampling. */
	netherTrips: count,
	endTrips: count,
	/** Not counting those that unlock recipes. */
	advancements: count,
	recipesUnlocked: count,
	villagerTrades: count,
	fishCaught: count,
	animalsBred: count
} satisfies Record<StatMetric, z.ZodType>;

export const PlayerStats = z.object({
	uuid: z.string(),
	/** The id when no name is known. */
	name: z.string(),
	...values
});
export type PlayerStats = z.infer<typeof PlayerStats>;

/** Answer of `GET /api/players/stats`. */
export const PlayerStatsList = z.object({ players: z.array(PlayerStats), generatedAt: Time });
export type PlayerStatsList = z.infer<typeof PlayerStatsList>;

export const Playtime = z.object({
	uuid: z.string(),
	name: z.string(),
	/** Of the game, 20 a second. */
	ticks: count,
	hours: amount,
	/** When the game last wrote their statistics. */
	lastSeenAt: Time.nullable()
});
export type Playtime = z.infer<typeof Playtime>;

/** Answer of `GET /api/players/playtime`, longest first. */
export const PlaytimeList = z.object({ players: z.array(Playtime) });
export type PlaytimeList = z.infer<typeof PlaytimeList>;

/** Rows on one page of the whole list. */
export const BOARD_ROWS = 300;

/** What the leaderboard's address asks for; invalid values show the beginning. */
export const BoardQuery = z.object({
	metric: z.enum(STAT_METRICS).catch('playtime').default('playtime'),
	show: z.enum(['top', 'all']).catch('top').default('top'),
	q: z.string().trim().max(BOARD_SEARCH_MAX).catch('').default(''),
	page: z.coerce.number().int().min(1).max(100_000).catch(1).default(1)
});
export type BoardQuery = z.infer<typeof BoardQuery>;

export type BoardRow = {
	/** Equal values share a rank, unknown ones have none. */
	rank: number | null;
	uuid: string;
	name: string;
	value: number | null;
	/** By the server's logs; null where they do not tell. */
	lastSeenAt: string | null;
	/** The date of their file, which a copy of the world changes. */
	writtenAt: string | null;
};
export type Board = BoardQuery & {
	rows: BoardRow[];
	/** The highest value of all. */
	best: number;
	/** Players whose value is above zero or unknown; with and without the search. */
	found: number;
	ranked: number;
	/** All players who have files. */
	players: number;
	pages: number;
	/** One sentence when files cannot be read, otherwise null. */
	problem: string | null;
	generatedAt: string;
};

/** A block, item or mob by its id, such as `minecraft:stone`. */
export type Favourite = { id: string; count: number };
/** Everything about one player. */
export type PlayerNumbers = {
	values: PlayerStats;
	/** Null when they have done none of it, or it is not known. */
	ranks: Record<StatMetric, number | null>;
	players: number;
	favourites: { blocks: Favourite[]; items: Favourite[]; mobs: Favourite[] };
	lastSeenAt: string | null;
};
