import { javaDate, parseJavaDate } from './java-date.ts';
import { plainText } from '#minecraft/text';

export type Listed = { uuid: string; name: string };
export type OpEntry = Listed & { level: number };
export type BanEntry = Listed & {
	reason: string | null;
	source: string | null;
	createdAt: string | null;
	/** Null: for ever. */
	expiresAt: string | null;
};
export type CacheEntry = Listed & { expiresAt: string | null };

export type Entries = { ops: OpEntry; whitelist: Listed; bans: BanEntry; cache: CacheEntry };
export type ListName = 'ops' | 'whitelist' | 'bans';

/** A new entry for a list. */
export type NewEntry = {
	ops: OpEntry;
	whitelist: Listed;
	bans: Listed & { reason: string | null; source: string; at: Date };
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const NAME_MAX = 48;
const TEXT_MAX = 300;
const OP_LEVEL_MAX = 4;
/** The game's own words where the file has none. */
const BAN_REASON = 'Banned by an operator.';

type Raw = Record<string, unknown>;

/** The id of an element as the game reads it, in lower case; null when the game skips the element. */
export function uuidOf(value: unknown): string | null {
	const uuid = (value as Raw | null)?.uuid;
	const lower = typeof uuid === 'string' ? uuid.toLowerCase() : '';
	return UUID.test(lower) ? lower : null;
}

const READERS: { [K in keyof Entries]: (raw: Raw, listed: Listed) => Entries[K] } = {
	ops: ({ level }, listed) => ({ ...listed, level: levelOf(level) }),
	whitelist: (_raw, listed) => listed,
	bans: ({ reason, source, created, expires }, listed) => ({
		...listed,
		reason: textOf(reason),
		source: textOf(source),
		createdAt: parseJavaDate(created),
		expiresAt: parseJavaDate(expires)
	}),
	cache: ({ expiresOn }, listed) => ({ ...listed, expiresAt: parseJavaDate(expiresOn) })
};

/**
 * What the game makes of a list: elements without an id or a name do not count, of two with the same id the later one
 * counts, expired bans are over.
 */
export function readEntries<K extends keyof Entries>(
	list: K,
	values: unknown[],
	now: Date
): Entries[K][] {
	const found = new Map<string, Entries[K]>();
	for (const value of values) {
		const uuid = uuidOf(value);
		const name = (value as Raw | null)?.name;
		if (!uuid || typeof name !== 'string') continue;
		// The user cache has its latest entry first; a list is a map that is filled from the top.
		if (list === 'cache' && found.has(uuid)) continue;
		found.set(uuid, READERS[list](value as Raw, { uuid, name: shownName(name) || uuid }));
	}
	const entries = [...found.values()];
	return list === 'bans' ? entries.filter((entry) => !isOver(entry as BanEntry, now)) : entries;
}

const isOver = ({ expiresAt }: BanEntry, now: Date) =>
	expiresAt !== null && Date.parse(expiresAt) <= now.getTime();

/** Characters that cannot be in a name are made visible, so that no such name is taken for another one. */
const shownName = (name: string) =>
	name.replace(/[§\p{C}\u2028\u2029]/gu, '\ufffd').slice(0, NAME_MAX);

const textOf = (value: unknown) =>
	typeof value === 'string' ? plainText(value, TEXT_MAX) || null : null;

/** A missing value counts as 0 in the game. */
const levelOf = (value: unknown) => {
	const level = Number.parseInt(String(value), 10);
	return Number.isNaN(level) ? 0 : Math.min(Math.max(level, 0), OP_LEVEL_MAX);
};

const WRITERS: { [K in ListName]: (entry: NewEntry[K]) => object } = {
	ops: ({ uuid, name, level }) => ({ uuid, name, level, bypassesPlayerLimit: false }),
	whitelist: ({ uuid, name }) => ({ uuid, name }),
	bans: ({ uuid, name, reason, source, at }) => ({
		uuid,
		name,
		created: javaDate(at),
		source,
		expires: 'forever',
		reason: reason ?? BAN_REASON
	})
};

/** The element as the game would write it. */
export const writeEntry = <K extends ListName>(list: K, entry: NewEntry[K]): object =>
	WRITERS[list](entry);
