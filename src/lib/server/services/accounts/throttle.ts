import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import { createLru, type Lru } from '#core/lru';

export type Attempt = {
	/** The password was wrong: the attempt counts. */
	failed(): void;
	/** The failures of this account from this place are forgotten. */
	succeeded(): void;
	/** Nothing was decided (busy, or an error of ours): the attempt does not count. */
	abandoned(): void;
};

/**
 * Limits guessing without locking people out: by account and place, by place, and by account for places that were
 * never seen with a session of it. There is no limit over everybody, so nobody can use up someone else's attempts.
 */
export interface Throttle {
	/**
	 * Reserves an attempt before checking the password, so that parallel ones count too. `account` is a folded name,
	 * `place` an address prefix or the name of a device that has signed in before; `stranger` when neither is known.
	 * `AppError('throttled')` with the seconds to wait; `AppError('busy')` when too many of this place are under way.
	 */
	begin(who: {
		account: string;
		/** False for a name without an account, which is limited all the same. */
		exists: boolean;
		place: string;
		stranger: boolean;
	}): Attempt;
}

type Limit = { count: number; windowMs: number };
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Failed attempts from one place at one account. */
const PAIR: Limit[] = [
	{ count: 5, windowMs: MINUTE_MS },
	{ count: 30, windowMs: HOUR_MS }
];
/** Failed attempts from one place at any account. */
const PLACE: Limit[] = [{ count: 30, windowMs: MINUTE_MS }];
/** Different strangers who may fail at one account: guessing from many addresses gets no further than this. */
const STRANGERS: Limit = { count: 10, windowMs: HOUR_MS };
/** Attempts from one place that may be hashed or queued at once, so that one place cannot fill the queue. */
const UNDER_WAY_MAX = 5;
const REMEMBERED = 10_000;

type Try = { atMs: number; place: string };

export function createThrottle({ clock }: { clock: Clock }): Throttle {
	const pairs = createLru<string, Try[]>(REMEMBERED);
	const places = createLru<string, Try[]>(REMEMBERED);
	/** Never crowded out by made-up names. */
	const configured = new Map<string, Try[]>();
	const madeUp = createLru<string, Try[]>(REMEMBERED);
	const underWay = new Map<string, number>();

	/** The attempts within the longest window, oldest first. */
	const recent = (map: Lru<string, Try[]>, key: string, windowMs: number) => {
		const since = clock.monotonicMs() - windowMs;
		return (map.get(key) ?? []).filter(({ atMs }) => atMs > since);
	};
	const add = (map: Lru<string, Try[]>, key: string, entry: Try, windowMs: number) =>
		map.set(key, [...recent(map, key, windowMs), entry]);
	const remove = (map: Lru<string, Try[]>, key: string, entry: Try) => {
		const rest = (map.get(key) ?? []).filter((one) => one !== entry);
		if (rest.length) map.set(key, rest);
		else map.delete(key);
	};

	/** Refuses when the limit is reached, until enough of the tries have left the window. */
	function check(tries: Try[], { count, windowMs }: Limit) {
		const now = clock.monotonicMs();
		const inWindow = tries.filter(({ atMs }) => atMs > now - windowMs);
		const decisive = inWindow.at(-count);
		if (decisive) refuse(decisive.atMs + windowMs - now);
	}

	return {
		begin({ account, exists, place, stranger }) {
			const pair = `${account}\n${place}`;
			const strangers = exists ? configured : madeUp;
			// First: undecided attempts count as failed, and a wait of minutes would not be a true answer.
			const running = underWay.get(place) ?? 0;
			if (running >= UNDER_WAY_MAX)
				throw new AppError('busy', 'Too many people are logging in. Try again in a few seconds.', {
					retryAfterS: 2
				});
			for (const limit of PAIR) check(recent(pairs, pair, HOUR_MS), limit);
			for (const limit of PLACE) check(recent(places, place, MINUTE_MS), limit);
			if (stranger) check(lastOfEach(recent(strangers, account, HOUR_MS)), STRANGERS);

			const entry: Try = { atMs: clock.monotonicMs(), place };
			underWay.set(place, running + 1);
			add(pairs, pair, entry, HOUR_MS);
			add(places, place, entry, MINUTE_MS);
			if (stranger) add(strangers, account, entry, HOUR_MS);

			const settle = () => {
				const left = (underWay.get(place) ?? 1) - 1;
				if (left) underWay.set(place, left);
				else underWay.delete(place);
			};
			const forget = () => {
				settle();
				remove(pairs, pair, entry);
				remove(places, place, entry);
				remove(strangers, account, entry);
			};
			return {
				failed: settle,
				abandoned: forget,
				succeeded() {
					forget();
					pairs.delete(pair);
				}
			};
		}
	};
}

/** One attempt per place, its latest: the window ends when the oldest of these places leaves it. */
function lastOfEach(tries: Try[]): Try[] {
	const byPlace = new Map<string, Try>();
	for (const one of tries) {
		byPlace.delete(one.place);
		byPlace.set(one.place, one);
	}
	return [...byPlace.values()];
}

function refuse(waitMs: number): never {
	const seconds = Math.max(1, Math.ceil(waitMs / 1000));
	const words = seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
	throw new AppError('throttled', `Too many tries. Wait ${words}, then try again.`, {
		retryAfterS: seconds
	});
}
