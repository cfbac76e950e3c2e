import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { z } from 'zod';
import { addressPrefix } from '#core/net';
import type { Clock } from '#core/clock';
import { createSerial } from '#core/serial';

const Entry = z.object({
	/** 32 random bytes, base64url. */
	id: z.string().regex(/^[\w-]{43}$/),
	/** The account's folded name. */
	account: z.string().max(256),
	/** Of the configured password when the session began; a different one now ends it. */
	mark: z.string().max(100),
	/** Milliseconds since 1970, as the two below. */
	createdAt: z.number(),
	usedAt: z.number(),
	expiresAt: z.number(),
	addressPrefix: z.string().max(60),
	userAgent: z.string().max(120)
});
export type SessionEntry = z.infer<typeof Entry>;
const Place = z.object({ account: z.string(), prefix: z.string(), at: z.number() });
type Place = z.infer<typeof Place>;

/** The contents of `DATA_DIR/sessions.json`. */
export const SessionsFile = z.object({
	sessions: z.array(Entry),
	/** Where sessions were begun, kept after they end. */
	places: z.array(Place)
});
export type SessionsFile = z.infer<typeof SessionsFile>;
export const NO_SESSIONS: SessionsFile = { sessions: [], places: [] };

export const LIFETIME_MS = 7 * 24 * 60 * 60_000;
export const SESSIONS_PER_ACCOUNT = 20;
/** A session in use is written at most this often. */
const TOUCH_MS = 60 * 60_000;
/** A clock that was this much ahead when a session was last used makes no difference. */
const SKEW_MS = 60 * 60_000;
const PLACES_PER_ACCOUNT = 50;
const PLACE_LIFETIME_MS = 90 * 24 * 60 * 60_000;
const RETRY_MS = 60_000;
const USER_AGENT_MAX = 120;

/** The list of signed-in sessions, which makes tokens revocable. */
export interface Sessions {
	/**
	 * On disk before it resolves; while the disk takes nothing, it lives in memory. Beyond 20 of one account the one
	 * not used for longest ends.
	 */
	create(who: {
		account: string;
		mark: string;
		address: string | null;
		userAgent: string | null;
	}): Promise<SessionEntry>;
	/** A look-up in memory; using a session renews it. Null when it has ended or never existed. */
	check(id: string): SessionEntry | null;
	/** Ended from this moment, even if that cannot be written. Returns false when there was none. */
	end(id: string): Promise<boolean>;
	/** Ends all sessions of an account; returns how many. */
	endAll(account: string): Promise<number>;
	/** True when a session of the account began at this address prefix within the last 90 days. */
	knows(account: string, prefix: string): boolean;
	/** Writes what is not on disk yet. */
	close(): Promise<void>;
}

type Deps = {
	/** `DATA_DIR/sessions.json`. Its previous copy is removed at start: it contains sessions that have ended. */
	file: string;
	/** A damaged file reads as no sessions; `read` throws when it must not be touched. */
	store: {
		read(): Promise<SessionsFile>;
		update(change: (before: SessionsFile) => SessionsFile): Promise<unknown>;
	};
	clock: Clock;
	/** The mark of an account's configured password; null when there is no such account. */
	markOf: (account: string) => string | null;
	publish: (fact: { type: 'session-ended'; sessionId: string }) => void;
	warn: (message: string, facts?: Record<string, unknown>) => void;
};

export async function createSessions(deps: Deps): Promise<Sessions> {
	const { file, store, clock, markOf, publish, warn } = deps;
	const nowMs = () => clock.now().getTime();
	await rm(`${file}.prev`, { force: true });
	const loaded = await store.read();
	const sessions = new Map(loaded.sessions.map((entry) => [entry.id, { ...entry }]));
	/** Being written for the first time: on disk with the others, but not valid yet. */
	const beginning = new Set<SessionEntry>();
	let places = loaded.places;
	let retry: NodeJS.Timeout | null = null;
	const writing = createSerial();

	const write = () =>
		store.update(() => ({ sessions: [...sessions.values(), ...beginning], places }));

	/** For changes that hold in memory too; a full disk must not stop anybody from signing in, to make room, or out. */
	const writeSoon = () => writing.run(attempt);
	async function attempt() {
		try {
			await write();
		} catch (cause) {
			warn('The list of sessions could not be written; it is tried again in a minute.', { cause });
			retry ??= setTimeout(() => {
				retry = null;
				void writeSoon();
			}, RETRY_MS).unref();
		}
	}

	/** Ended sessions are gone at once; listeners (streams) are told. */
	function drop(ids: string[]): number {
		const ended = ids.filter((id) => sessions.delete(id));
		for (const sessionId of ended) publish({ type: 'session-ended', sessionId });
		return ended.length;
	}

	/** Neither a clock set ahead for a while nor one set back makes a session immortal. */
	const valid = ({ account, mark, expiresAt }: SessionEntry) => {
		const leftMs = expiresAt - nowMs();
		return leftMs > 0 && leftMs <= LIFETIME_MS + SKEW_MS && markOf(account) === mark;
	};
	const prune = () => drop([...sessions.values()].filter((e) => !valid(e)).map(({ id }) => id));

	function remember(account: string, prefix: string) {
		const now = nowMs();
		const others = places.filter(
			(place) =>
				now - place.at < PLACE_LIFETIME_MS &&
				!(place.account === account && place.prefix === prefix)
		);
		const mine = others.filter((place) => place.account === account);
		const surplus = new Set(mine.slice(0, Math.max(0, mine.length - PLACES_PER_ACCOUNT + 1)));
		places = [...others.filter((place) => !surplus.has(place)), { account, prefix, at: now }];
	}

	/** What ended while we did not run. Written once a session is requested: a cron task only reads. */
	let endedBefore = prune() > 0;

	return {
		async create({ account, mark, address, userAgent }) {
			prune();
			const now = nowMs();
			const entry: SessionEntry = {
				id: randomBytes(32).toString('base64url'),
				account,
				mark,
				createdAt: now,
				usedAt: now,
				expiresAt: now + LIFETIME_MS,
				addressPrefix: addressPrefix(address),
				userAgent: printable(userAgent ?? '')
			};
			remember(account, entry.addressPrefix);
			beginning.add(entry);
			await writeSoon();
			sessions.set(entry.id, entry);
			beginning.delete(entry);
			const mine = [...sessions.values()].filter((one) => one.account === account);
			mine.sort((a, b) => a.usedAt - b.usedAt);
			const surplus = mine.slice(0, Math.max(0, mine.length - SESSIONS_PER_ACCOUNT));
			if (drop(surplus.map(({ id }) => id))) await writeSoon();
			return entry;
		},

		check(id) {
			if (endedBefore) {
				endedBefore = false;
				void writeSoon();
			}
			const entry = sessions.get(id);
			if (!entry) return null;
			if (!valid(entry)) {
				drop([id]);
				void writeSoon();
				return null;
			}
			const now = nowMs();
			if (Math.abs(now - entry.usedAt) >= TOUCH_MS) {
				entry.usedAt = now;
				entry.expiresAt = now + LIFETIME_MS;
				void writeSoon();
			}
			return entry;
		},

		async end(id) {
			if (!drop([id])) return false;
			await writeSoon();
			return true;
		},

		async endAll(account) {
			const mine = [...sessions.values()].filter((entry) => entry.account === account);
			const count = drop(mine.map(({ id }) => id));
			if (count) await writeSoon();
			return count;
		},

		knows: (account, prefix) =>
			places.some(
				(place) =>
					place.account === account &&
					place.prefix === prefix &&
					nowMs() - place.at < PLACE_LIFETIME_MS
			),

		async close() {
			await writing.run(() => {}); // what is under way
			if (!retry) return;
			clearTimeout(retry);
			await write().catch((cause) =>
				warn('The list of sessions could not be written: some that were ended may live again.', {
					cause
				})
			);
		}
	};
}

/** What a browser calls itself, in one harmless line. */
const printable = (text: string) => text.replace(/[^\x20-\x7e]/g, '?').slice(0, USER_AGENT_MAX);
