import type { Ban } from '#schemas/player';
import type { Clock } from '#core/clock';
import { createLru } from '#core/lru';

/** The account that banned a player at a time, by the audit log; null where it does not say. */
export type WhoBanned = (player: string, at: string) => Promise<string | null>;

/** What the game's list names as the source of a ban that came from here, and of others too. */
const FROM_HERE = ['Rcon', 'Craftwarden'];
/** So many of a list are looked up, the newest first; a player's own page asks for any. */
const LISTED_MAX = 100;
const KNOWN_MAX = 500;
/** After this the entry is written if it ever will be. */
const SETTLED_MS = 60_000;

/** Names the accounts in bans. Each ban is looked up once: neither it nor its entry changes. */
export function createBanNames(whoBanned: WhoBanned, clock: Clock) {
	const known = createLru<string, { by: string | null }>(KNOWN_MAX);

	async function named<B extends Omit<Ban, 'uuid'>>(ban: B): Promise<B> {
		const { name, source, createdAt } = ban;
		if (!createdAt || !FROM_HERE.includes(source ?? '')) return ban;
		const key = `${createdAt} ${name}`;
		const found = known.get(key) ?? { by: await whoBanned(name, createdAt) };
		const isSettled = clock.now().getTime() - Date.parse(createdAt) > SETTLED_MS;
		if (found.by !== null || isSettled) known.set(key, found);
		return found.by === null ? ban : { ...ban, by: found.by };
	}
	return {
		named,
		async newest(bans: Ban[]): Promise<Ban[]> {
			const at = ({ createdAt }: Ban) => createdAt ?? '';
			const byAge = bans.toSorted((a, b) => (at(a) < at(b) ? 1 : -1));
			const wanted = new Set(byAge.slice(0, LISTED_MAX));
			const all: Ban[] = [];
			for (const ban of bans) all.push(wanted.has(ban) ? await named(ban) : ban);
			return all;
		}
	};
}
export type BanNames = ReturnType<typeof createBanNames>;
