import type { Clock } from './clock.ts';
import { deadline } from './deadline.ts';
import { createLru, type Weights } from './lru.ts';

/** Values and how old they are; at most `max` keys, the one unused for longest is dropped first. */
export interface TtlMap<K, V> {
	/** Undefined when it is unknown, or too old. */
	get(key: K): V | undefined;
	/** However old it is, or up to this age. */
	stale(key: K, maxAgeMs?: number): V | undefined;
	/** `sinceMs`: when it was true, by the monotonic clock; now by default. */
	set(key: K, value: V, sinceMs?: number): void;
	/**
	 * Returns the known value, else what `look` returns, whose age counts from when the look began. Concurrent callers
	 * share one look, however long it takes. A failed look is not cached, nor one that was invalidated
	 * meanwhile.
	 */
	load(key: K, look: () => Promise<V>): Promise<V>;
	forget(key: K): void;
}

type Ttl = number | (() => number);
type Options<V> = {
	ttlMs: Ttl;
	max: number;
	weights?: Weights<V>;
	clock: Pick<Clock, 'monotonicMs'>;
};

export function createTtlMap<K, V>(options: Options<V>): TtlMap<K, V> {
	const { ttlMs, max, weights, clock } = options;
	const kept = createLru<K, { value: V; sinceMs: number }>(
		max,
		weights && { ...weights, of: ({ value }) => weights.of(value) }
	);
	const looks = new Map<K, Promise<V>>();

	const fresh = (key: K) => {
		const entry = kept.get(key);
		const goodForMs = typeof ttlMs === 'number' ? ttlMs : ttlMs();
		return entry && clock.monotonicMs() - entry.sinceMs < goodForMs ? entry : undefined;
	};
	const set = (key: K, value: V, sinceMs = clock.monotonicMs()) =>
		kept.set(key, { value, sinceMs });

	function launch(key: K, look: () => Promise<V>): Promise<V> {
		const sinceMs = clock.monotonicMs();
		const mine = Promise.try(look); // also when it throws synchronously
		looks.set(key, mine);
		const isLatest = () => looks.get(key) === mine && looks.delete(key);
		mine.then(
			(value) => isLatest() && set(key, value, sinceMs),
			() => isLatest()
		);
		return mine;
	}

	return {
		get: (key) => fresh(key)?.value,
		stale(key, maxAgeMs = Infinity) {
			const entry = kept.get(key);
			return entry && clock.monotonicMs() - entry.sinceMs < maxAgeMs ? entry.value : undefined;
		},
		set,
		load(key, look) {
			const known = fresh(key);
			return known ? Promise.resolve(known.value) : (looks.get(key) ?? launch(key, look));
		},
		forget(key) {
			kept.delete(key);
			looks.delete(key);
		}
	};
}

/** A single value. */
export interface TtlValue<V> {
	get(): V | undefined;
	stale(maxAgeMs?: number): V | undefined;
	set(value: V, sinceMs?: number): void;
	load(look: () => Promise<V>): Promise<V>;
	forget(): void;
}

export function createTtlValue<V>(ttlMs: Ttl, clock: Options<V>['clock']): TtlValue<V> {
	const cache = createTtlMap<null, V>({ ttlMs, max: 1, clock });
	return {
		get: () => cache.get(null),
		stale: (maxAgeMs) => cache.stale(null, maxAgeMs),
		set: (value, sinceMs) => cache.set(null, value, sinceMs),
		load: (look) => cache.load(null, look),
		forget: () => cache.forget(null)
	};
}

/** A question that is asked again only when its last answer is too old, or was invalidated. */
export type TtlCache<T> = {
	(): Promise<T>;
	/** It has changed: the next caller triggers a new look. */
	forget(): void;
};

/** For what pages request many times a second. */
export function createTtlCache<T>(
	look: () => Promise<T>,
	ttlMs: number,
	clock: Options<T>['clock']
): TtlCache<T> {
	const value = createTtlValue<T>(ttlMs, clock);
	return Object.assign(() => value.load(look), { forget: value.forget });
}

/** What is known now; `problem` says why it could not be found out, null while that is not known yet. */
export type Known<T> = { value: T; problem: null } | { value: null; problem: string | null };
/** It is being found out, and known in a moment. */
export const isComing = ({ value, problem }: Known<unknown>) => value === null && problem === null;
export type KeptAnswer<T> = {
	/** Returns at once what is known, also when it is due, and refreshes it in the background. Never rejects. */
	(): Promise<Known<T>>;
	/** Something has happened to it: what was known is told to nobody any more, and callers wait briefly for a new look. */
	outdate(): void;
};

/** For what a page shows and may be seconds old: no caller waits long, and one look serves all. */
export function createKeptAnswer<T>(
	look: () => Promise<T>,
	options: {
		ttlMs: number;
		/** What is older is told to nobody. */
		oldMs: number;
		/** How long the first caller waits, the first one after a change, and one who finds only what is too old. */
		waitMs: number;
		/** An unexpected failure, and what to call it; an expected one is its own problem. */
		failed: (cause: unknown) => string;
		clock: Clock;
	}
): KeptAnswer<T> {
	const { ttlMs, oldMs, waitMs, failed, clock } = options;
	const kept = createTtlValue<Known<T>>(ttlMs, clock);
	const notYet: Known<T> = { value: null, problem: null };
	async function lookNow(): Promise<Known<T>> {
		try {
			return { value: await look(), problem: null };
		} catch (cause) {
			return { value: null, problem: failed(cause) };
		}
	}
	async function answer(): Promise<Known<T>> {
		const known = kept.get();
		if (known) return known;
		const old = kept.stale(oldMs);
		const next = kept.load(lookNow);
		return (
			old ??
			deadline(
				{ ms: waitMs, clock },
				() => next,
				() => notYet
			)
		);
	}
	return Object.assign(answer, { outdate: kept.forget });
}
