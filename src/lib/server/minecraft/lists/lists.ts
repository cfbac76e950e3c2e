import path from 'node:path';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import { editFile } from '#minecraft/folder';
import {
	readEntries,
	uuidOf,
	writeEntry,
	type Entries,
	type ListName,
	type NewEntry
} from './entries.ts';
import { createListFile, LIST_MAX_BYTES, type ListFile } from './file.ts';
import { editListText, parseListText } from './text.ts';
import { profileOf } from './profiles.ts';

export type { BanEntry, CacheEntry, Listed, ListName, NewEntry, OpEntry } from './entries.ts';
export { offlineUuid, type NameRules, type Profile } from './profiles.ts';

export type PlayerFiles = { [K in keyof Entries]: Entries[K][] } & {
	/** One sentence for each file that cannot be read properly. */
	problems: string[];
};
export type ListChange<K extends ListName> = {
	/** Elements with these ids are removed. */
	remove?: readonly string[];
	add?: NewEntry[K];
};

/** Who is on the server's lists, in the files that the game keeps in its folder. */
export interface PlayerLists {
	/** Missing files are empty lists. Never rejects: a file that cannot be read now has its last good content. */
	read(): Promise<PlayerFiles>;
	/** Whom a name means; null when the files cannot say. */
	readonly profileOf: typeof profileOf;
	/**
	 * Changes a list, for a stopped server only: a running one would overwrite it. `decide` gets what the file says
	 * now and returns null to leave it alone. Other elements stay byte for byte. Returns true when the file was
	 * written. `AppError('upstream')`, nothing changed: the file is damaged, not a regular file or cannot be written.
	 */
	change<K extends ListName>(
		list: K,
		decide: (entries: Entries[K][]) => ListChange<K> | null
	): Promise<boolean>;
}

const LIST_FILES: Record<keyof Entries, string> = {
	ops: 'ops.json',
	whitelist: 'whitelist.json',
	bans: 'banned-players.json',
	cache: 'usercache.json'
};

export function createPlayerLists({ dir, clock }: { dir: string; clock: Clock }): PlayerLists {
	const at = (list: keyof Entries) => path.join(dir, LIST_FILES[list]);
	const files: Record<keyof Entries, ListFile> = {
		ops: createListFile(at('ops'), clock),
		whitelist: createListFile(at('whitelist'), clock),
		bans: createListFile(at('bans'), clock),
		cache: createListFile(at('cache'), clock)
	};

	async function load<K extends keyof Entries>(list: K) {
		const { values, problem } = await files[list].read();
		return { entries: readEntries(list, values, clock.now()), problem };
	}

	return {
		async read() {
			const [ops, whitelist, bans, cache] = await Promise.all([
				load('ops'),
				load('whitelist'),
				load('bans'),
				load('cache')
			]);
			return {
				ops: ops.entries,
				whitelist: whitelist.entries,
				bans: bans.entries,
				cache: cache.entries,
				problems: [ops, whitelist, bans, cache].flatMap(({ problem }) => problem ?? [])
			};
		},
		profileOf,
		change: (list, decide) =>
			editFile(at(list), LIST_MAX_BYTES, (bytes) => {
				const text = parseListText(bytes);
				if (!text) throw damaged(LIST_FILES[list]);
				const values = text.elements.map(({ value }) => value);
				const change = decide(readEntries(list, values, clock.now()));
				if (!change) return null;
				const gone = new Set([...(change.remove ?? []), ...(change.add ? [change.add.uuid] : [])]);
				return editListText(
					text,
					(value) => !gone.has(uuidOf(value) ?? ''),
					change.add && writeEntry(list, change.add)
				);
			})
	};
}

const damaged = (name: string) =>
	new AppError(
		'upstream',
		`${name} is damaged: it is not a list in JSON. Repair it, or remove it to begin an empty one. Nothing was changed.`
	);
