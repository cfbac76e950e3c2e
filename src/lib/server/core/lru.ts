/** A map that holds at most `max` entries: the one not used for longest goes first. */
export type Lru<K, V> = {
	get(key: K): V | undefined;
	set(key: K, value: V): void;
	delete(key: K): void;
	readonly size: number;
};

export function createLru<K, V>(max: number): Lru<K, V> {
	const entries = new Map<K, V>();
	return {
		get(key) {
			const value = entries.get(key);
			if (value === undefined) return undefined;
			entries.delete(key);
			entries.set(key, value);
			return value;
		},
		set(key, value) {
			entries.delete(key);
			entries.set(key, value);
			if (entries.size > max) entries.delete(entries.keys().next().value as K);
		},
		delete: (key) => void entries.delete(key),
		get size() {
			return entries.size;
		}
	};
}
