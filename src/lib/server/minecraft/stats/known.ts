import { NO_ADVANCEMENTS } from './advancements.ts';
import type { Checked, FileContent, FileKind, FileRead, Identity } from './file.ts';

/** What is known about one player; a new object whenever one of their files has changed. */
export type PlayerFiles = {
	/** Null when they are unknown: there is no file, or its format is not known. */
	stats: FileContent['stats'] | null;
	/** When the game last wrote them. */
	writtenAt: string | null;
	/** Null when they are unknown. */
	advancements: FileContent['advancements'] | null;
};

/** What was last read of one file. */
export type Known<K extends FileKind = FileKind> = {
	identity: Identity | null;
	/** From the last time the file was readable. */
	value: FileContent[K] | null;
	readable: boolean;
	/** Written so recently that a later change may not show. */
	fresh: boolean;
	/** The number of the scan that last saw it. */
	scan: number;
};

/** A file changed this recently may be written to again without a new time. */
const FRESH_MS = 2_000;
/** Ids recur from player to player: one string for all. */
const IDS_MAX = 20_000;
const KINDS: FileKind[] = ['stats', 'advancements'];

/** What is known about the players of one world. `changed` is called whenever that changes. */
export function createKnownFiles(changed: () => void) {
	const known: { [K in FileKind]: Map<string, Known<K>> } = {
		stats: new Map(),
		advancements: new Map()
	};
	const players = new Map<string, PlayerFiles>();
	const ids = new Map<string, string>();

	function renew(uuid: string) {
		changed();
		const stats = known.stats.get(uuid);
		const advancements = advancementsOf(uuid);
		// Statistics that were never readable are not the same as none.
		if (stats ? !stats.value && !stats.readable : !advancements) return void players.delete(uuid);
		const writtenAt = stats?.identity ? new Date(stats.identity.mtimeMs).toISOString() : null;
		players.set(uuid, { stats: stats?.value ?? null, writtenAt, advancements });
	}

	/** Advancements missing for a player who has statistics: they have not completed any. */
	function advancementsOf(uuid: string) {
		const file = known.advancements.get(uuid);
		if (file) return file.value;
		return known.stats.get(uuid)?.value ? NO_ADVANCEMENTS : null;
	}

	function shareIds<V extends FileContent[FileKind]>(value: V): V {
		if (!('blocks' in value)) return value;
		if (ids.size > IDS_MAX) ids.clear();
		for (const one of [...value.blocks, ...value.items, ...value.mobs]) {
			const shared = ids.get(one.id);
			if (shared === undefined) ids.set(one.id, one.id);
			else one.id = shared;
		}
		return value;
	}

	return {
		players: players as ReadonlyMap<string, PlayerFiles>,
		of: (kind: FileKind): ReadonlyMap<string, Known> => known[kind],
		/** When a file cannot be read, what was last read of it stays. */
		take({ uuid, kind }: Checked, result: FileRead, scan: number) {
			const files: Map<string, Known> = known[kind];
			if (result.state === 'gone') files.delete(uuid);
			else {
				const { identity } = result;
				const readable = result.state !== 'unreadable';
				const before = readable ? null : (files.get(uuid)?.value ?? null);
				const value = result.state === 'read' ? shareIds(result.value) : before;
				files.set(uuid, { identity, value, readable, fresh: isFresh(identity), scan });
			}
			renew(uuid);
		},
		/** Whoever was not seen in this scan is gone. */
		forget(kind: FileKind, scan: number) {
			for (const [uuid, one] of known[kind]) {
				if (one.scan === scan) continue;
				known[kind].delete(uuid);
				renew(uuid);
			}
		},
		/** `stats/<id>.json` and the like. */
		unreadable() {
			const names: string[] = [];
			for (const kind of KINDS)
				for (const [uuid, { readable }] of known[kind])
					if (!readable) names.push(`${kind}/${uuid}.json`);
			return names;
		}
	};
}

const isFresh = (identity: Identity | null) =>
	!identity || Math.abs(Date.now() - identity.mtimeMs) < FRESH_MS;
