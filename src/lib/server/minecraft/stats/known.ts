import { NO_ADVANCEMENTS } from './advancements.ts';
import type { Checked, FileContent, FileKind, FileRead, Identity } from './file.ts';

/** What is known of one player; another object whenever a file of his has changed. */
export type PlayerFiles = {
	/** Null when they are not known: there is no file, or its format is not known. */
	stats: FileContent['stats'] | null;
	/** When the game last wrote them. */
	writtenAt: string | null;
	/** Null when they are not known. */
	advancements: FileContent['advancements'] | null;
};

/** What was last read of one file. */
export type Known<K extends FileKind = FileKind> = {
	identity: Identity | null;
	/** Of the last time when it was readable. */
	value: FileContent[K] | null;
	readable: boolean;
	/** Written so shortly before that a later change may not show. */
	fresh: boolean;
	/** Of the scan that saw it last. */
	scan: number;
};

/** A file written to this shortly before may be written to again without a new time. */
const FRESH_MS = 2_000;
/** Ids recur from player to player: one text for all. */
const IDS_MAX = 20_000;
const KINDS: FileKind[] = ['stats', 'advancements'];

/** What is known of the players of one world. `changed` is called whenever it is more, less or other than before. */
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

	/** What the game has not written of somebody whom it counts, they have not done. */
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
		/** Where a file cannot be read, what was read of it before stands. */
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
		/** Whoever this scan has not seen is gone. */
		forget(kind: FileKind, scan: number) {
			for (const [uuid, one] of known[kind]) {
				if (one.scan === scan) continue;
				known[kind].delete(uuid);
				renew(uuid);
			}
		},
		/** `stats/<id>.json` and the like. */
		unreadable: () =>
			KINDS.flatMap((kind) =>
				[...known[kind]].flatMap(([uuid, { readable }]) =>
					readable ? [] : [`${kind}/${uuid}.json`]
				)
			)
	};
}

const isFresh = (identity: Identity | null) =>
	!identity || Math.abs(Date.now() - identity.mtimeMs) < FRESH_MS;
