import type { Clock } from '#core/clock';
import { deadline } from '#core/deadline';
import { createTtlMap } from '#core/ttl-cache';

/**
 * Facts by key, kept in memory: requested again when they are older than `freshMs`, and returned as they were when
 * the registry cannot be reached or takes too long.
 */
export interface Memory<T> {
	/**
	 * The facts that exist; a key without any is absent. `load` gets all the keys that are not fresh at once. With
	 * `partial`, known facts are better than a failure.
	 */
	get(keys: string[], load: Load<T>, partial?: boolean): Promise<Map<string, T>>;
}
type Load<T> = (keys: string[]) => Promise<Map<string, T>>;

type Deps = {
	clock: Clock;
	max: number;
	freshMs: number;
	/** How long to wait for newer facts when there are old ones. */
	patienceMs: () => number;
};

export function createMemory<T>({ clock, max, freshMs, patienceMs }: Deps): Memory<T> {
	/** Null: there are none. */
	const kept = createTtlMap<string, T | null>({ ttlMs: freshMs, max, clock });
	const loading = new Map<string, Promise<Map<string, T>>>();

	const known = (keys: string[]) => {
		const found = new Map<string, T>();
		for (const key of keys) {
			const value = kept.stale(key);
			if (value !== null && value !== undefined) found.set(key, value);
		}
		return found;
	};
	/** The same query is sent only once at a time. */
	const refresh = (keys: string[], load: Load<T>) => {
		const name = keys.join('\n');
		const started = loading.get(name);
		if (started) return started;
		const work = load(keys).then((found) => {
			for (const key of keys) kept.set(key, found.get(key) ?? null);
			return found;
		});
		loading.set(name, work);
		const over = () => void loading.delete(name);
		work.then(over, over);
		return work;
	};
	/** Null when it fails or takes too long: the old facts are used. */
	const patiently = (work: Promise<Map<string, T>>) =>
		deadline(
			{ ms: patienceMs(), clock },
			() => work.catch(() => null),
			() => null
		);

	return {
		async get(keys, load, partial = false) {
			const wanted = [...new Set(keys)];
			const old = wanted.filter((key) => kept.get(key) === undefined);
			const answer = known(wanted);
			if (!old.length) return answer;
			const work = refresh(old, load);
			const enough = partial || old.every((key) => kept.stale(key) !== undefined);
			const found = enough ? await patiently(work) : await work;
			if (found) for (const key of old) answer.delete(key);
			return new Map([...answer, ...(found ?? [])]);
		}
	};
}
