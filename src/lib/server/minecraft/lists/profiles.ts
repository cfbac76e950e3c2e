import { createHash } from 'node:crypto';
import type { CacheEntry, Listed } from './entries.ts';

export type Profile = Listed;

/** How the server gets from a name to an id. */
export type NameRules = {
	/** `online-mode` of server.properties. */
	onlineMode: boolean;
	bedrockPrefix: string | null;
};

type Sources = {
	cache: readonly CacheEntry[];
	whitelist: readonly Listed[];
	ops: readonly Listed[];
	bans: readonly Listed[];
};

/** The id of a player on a server without accounts: version 3 of `OfflinePlayer:<name>`, which is case-sensitive. */
export function offlineUuid(name: string): string {
	const hash = createHash('md5').update(`OfflinePlayer:${name}`).digest();
	hash[6] = (hash[6]! & 0x0f) | 0x30;
	hash[8] = (hash[8]! & 0x3f) | 0x80;
	return hash.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const isOffline = (uuid: string) => uuid[14] === '3';

/** The game looks names up regardless of case. */
export const sameName = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/**
 * Whom a name means, from what the server left behind: the user cache (the latest use first), then the lists. Made up
 * only on a server without accounts. Null when it cannot be known: Mojang would have to be asked, or it is a Bedrock
 * player whose name implies no id.
 */
export function profileOf(files: Sources, name: string, rules: NameRules): Profile | null {
	const known = [...byLatestUse(files.cache), ...files.whitelist, ...files.ops, ...files.bans]
		.filter((entry) => sameName(entry.name, name))
		// An id from the time without accounts belongs to nobody on a server that requires them.
		.filter((entry) => !rules.onlineMode || !isOffline(entry.uuid));
	const found = known.find((entry) => entry.name === name) ?? known[0];
	if (found) return { uuid: found.uuid, name: found.name };
	if (rules.onlineMode || isBedrock(name, rules)) return null;
	return { uuid: offlineUuid(name), name };
}

const isBedrock = (name: string, { bedrockPrefix }: NameRules) =>
	bedrockPrefix !== null && name.startsWith(bedrockPrefix);

const byLatestUse = (cache: readonly CacheEntry[]) =>
	[...cache].sort((a, b) => (b.expiresAt ?? '').localeCompare(a.expiresAt ?? ''));
