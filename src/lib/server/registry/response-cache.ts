import type { Clock } from '#core/clock';
import { createLru } from '#core/lru';

/**
 * Facts by key, kept in memory: asked for again when they are older than `freshMs`, and given out as they were when the
 * registry cannot be reached or takes too long.
 */
export interface Memory<T> {
	/**
	 * The facts that there are; a key without any is absent. `load` gets the keys that are not fresh, all in one. With
	 * `partial`, what is known is better than a failure.
	 */
	get(keys: string[], load: Load<T>, partial?: boolean): Promise<Map<string, T>>;
}
type Load<T> = (keys: string[]) => Promise<Map<string, T>>;
type Kept<T> = { value: T | null; atMs: number };

type Deps = {
	clock: Clock;
	max: number;
	freshMs: number;
	/** How long to wait for newer facts when there are old ones. */
	patienceMs: () => number;
};

export function createMemory<T>({ clock, max, freshMs, patienceMs }: Deps): Memory<T> {
	const kept = createLru<string, Kept<T>>(max);
	const loading = new Map<string, Promise<Map<string, T>>>();

	const known = (keys: string[]) => {
		const found = new Map<string, T>();
		for (const key of keys) {
			const value = kept.get(key)?.value;
			if (value !== null && value !== undefined) found.set(key, value);
		}
		return found;
	};
	/** The same question at the same time is asked once. */
	const refresh = (keys: string[], load: Load<T>) => {
		const name = keys.join('\n');
		const started = loading.get(name);
		if (started) return started;
		const work = load(keys).then((found) => {
			const atMs = clock.monotonicMs();
			for (const key of keys) kept.set(key, { value: found.get(key) ?? null, atMs });
			return found;
		});
		loading.set(name, work);
		const over = () => void loading.delete(name);
		work.then(over, over);
		return work;
	};
	/** Null when it fails or takes too long: the old facts will do. */
	const patiently = async (work: Promise<Map<string, T>>) => {
		const over = new AbortController();
		const enough = clock.sleep(patienceMs(), over.signal).catch(() => {});
		try {
			return (await Promise.race([work.catch(() => null), enough])) ?? null;
		} finally {
			over.abort();
		}
	};

	return {
		async get(keys, load, partial = false) {
			const wanted = [...new Set(keys)];
			const isOld = (key: string) => {
				const entry = kept.get(key);
				return !entry || clock.monotonicMs() - entry.atMs >= freshMs;
			};
			const old = wanted.filter(isOld);
			const answer = known(wanted);
			if (!old.length) return answer;
			const work = refresh(old, load);
			const enough = partial || old.every((key) => kept.get(key));
			const found = enough ? await patiently(work) : await work;
			if (found) for (const key of old) answer.delete(key);
			return new Map([...answer, ...(found ?? [])]);
		}
	};
}
