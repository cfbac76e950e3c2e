import { setImmediate as turn } from 'node:timers/promises';
import type {
	Board,
	BoardQuery,
	PlayerNumbers,
	PlayerStatsList,
	PlaytimeList
} from '#schemas/stats';
import type { Clock } from '#core/clock';
import { createTtlCache } from '#core/ttl-cache';
import type { PlayerFiles, StatsFolder } from '#minecraft/stats';
import { boardOf, ranksOf } from './board.ts';
import { type Snapshot, lifeOf, recordOf, TICKS_PER_HOUR, type One } from './record.ts';
import type { Sightings, Whereabouts } from './sightings.ts';

export { createSightings } from './sightings.ts';
export { createStatsWatch } from './watch.ts';

export const CACHE_MS = 60_000;
/** Building this many records takes a millisecond or two. */
const SLICE = 500;

/** What every player has done, according to the game's own files. Everything comes from one scan per 60 s. */
export interface StatsService {
	/** Sorted by name; the same array as long as nothing has changed. */
	list(): Promise<PlayerStatsList>;
	/** Longest first; players whose time is unknown come last. */
	playtime(): Promise<PlaytimeList>;
	board(query: BoardQuery): Promise<Board>;
	/** Returns null when the player has no files. */
	of(uuid: string): Promise<PlayerNumbers | null>;
	/** Files read so far, while a first scan of very many files is in progress. */
	progress(): { done: number; total: number } | null;
	/**
	 * Records where players are now, and how long they have lived according to their files: called about once a minute
	 * while somebody plays. A player who is not listed has not moved.
	 */
	sample(places: Whereabouts[]): Promise<void>;
	close(): Promise<void>;
}

type Deps = {
	folder: StatsFolder;
	/** By id: the user cache, then the lists. */
	names: () => Promise<ReadonlyMap<string, string>>;
	/** What was seen by sampling. */
	sightings: Sightings;
	/** When each was last on the server by its logs, as far as they are known. */
	lastSeen: () => Promise<ReadonlyMap<string, string>>;
	clock: Clock;
};

/** What a snapshot was made from: the same inputs give the same snapshot. */
type Made = { scan: number; seen: number; names: ReadonlyMap<string, string> };

export function createStats({ folder, names, sightings, lastSeen, clock }: Deps): StatsService {
	let last: (Snapshot & { made: Made }) | null = null;

	async function take(): Promise<Snapshot> {
		const [scan, known] = await Promise.all([folder.scan(), names(), sightings.load()]);
		const made = { scan: scan.changes, seen: sightings.changes, names: known };
		const generatedAt = clock.now().toISOString();
		const { unreadable } = scan;
		if (last && isSame(last.made, made)) {
			await sightings.save();
			last = { ...last, unreadable, generatedAt };
			return last;
		}
		const byId = new Map<string, One>();
		let count = 0;
		for (const [uuid, files] of scan.players) {
			if (++count % SLICE === 0) await turn();
			const name = known.get(uuid) ?? uuid;
			const before = last?.byId.get(uuid);
			if (before?.files !== files) made.seen += lived(uuid, files);
			const seen = sightings.of(uuid);
			const same = before?.files === files && before.stats.name === name && before.seen === seen;
			byId.set(uuid, same ? before : recordOf({ uuid, name, files, seen }));
		}
		await sightings.save();
		const all = inOrder(byId, last);
		last = { all, list: all.map(({ stats }) => stats), byId, unreadable, generatedAt, made };
		return last;
	}

	/** How many changes there were: none or one. */
	function lived(uuid: string, files: PlayerFiles): number {
		const { changes } = sightings;
		const life = lifeOf(files);
		if (life !== null) sightings.lived(uuid, life);
		return sightings.changes - changes;
	}

	/** One scan at a time, however many callers ask; a failed one is not kept. */
	const snapshot = createTtlCache(take, CACHE_MS, clock);

	return {
		async list() {
			const { list, generatedAt } = await snapshot();
			return { players: list, generatedAt };
		},
		async playtime() {
			const { all } = await snapshot();
			const players = all.map(({ stats: { uuid, name }, ticks, lastSeenAt }) => {
				const hours = ticks === null ? null : ticks / TICKS_PER_HOUR;
				return { uuid, name, ticks, hours, lastSeenAt };
			});
			return { players: players.sort((a, b) => (b.ticks ?? -1) - (a.ticks ?? -1)) };
		},
		async board(query) {
			const [taken, seen] = await Promise.all([snapshot(), lastSeen()]);
			return boardOf(taken, query, seen);
		},
		async of(uuid) {
			const { all, byId } = await snapshot();
			const one = byId.get(uuid);
			if (!one) return null;
			const { stats, favourites, lastSeenAt } = one;
			const ranks = ranksOf(all, stats);
			return { values: stats, ranks, players: all.length, favourites, lastSeenAt };
		},
		progress: folder.progress,
		async sample(places) {
			const { byId } = await snapshot();
			for (const place of places) sightings.met(place, byId.get(place.uuid)?.been ?? null);
		},
		async close() {
			await folder.close();
			await sightings.close();
		}
	};
}

function isSame(a: Made, b: Made) {
	if (a.scan !== b.scan || a.seen !== b.seen || a.names.size !== b.names.size) return false;
	for (const [uuid, name] of b.names) if (a.names.get(uuid) !== name) return false;
	return true;
}

/** Sorted only when a player was added, removed or renamed. */
function inOrder(byId: ReadonlyMap<string, One>, last: Snapshot | null): One[] {
	const same = last?.all.length === byId.size;
	const before = same ? last.all.map(({ stats }) => byId.get(stats.uuid)) : [];
	const still = before.every((one, i) => one && one.stats.name === last!.all[i]!.stats.name);
	if (same && still) return before as One[];
	return [...byId.values()].sort(
		(a, b) =>
			order(a.stats.name.toLowerCase(), b.stats.name.toLowerCase()) ||
			order(a.stats.uuid, b.stats.uuid)
	);
}

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
