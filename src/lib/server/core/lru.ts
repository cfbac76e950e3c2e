/** A map with at most `max` entries and a limited total weight: the entry unused for longest is dropped first. */
export type Lru<K, V> = {
	get(key: K): V | undefined;
	set(key: K, value: V): void;
	delete(key: K): void;
	readonly size: number;
};

export type Weights<V> = { of(value: V): number; max: number };

export function createLru<K, V>(max: number, weights?: Weights<V>): Lru<K, V> {
	const entries = new Map<K, V>();
	let weight = 0;
	const weigh = (value: V | undefined) => (value === undefined ? 0 : (weights?.of(value) ?? 0));
	const remove = (key: K) => {
		weight -= weigh(entries.get(key));
		entries.delete(key);
	};
	const isTooMuch = () =>
		entries.size > max || (entries.size > 0 && weight > (weights?.max ?? Infinity));

	return {
		get(key) {
			const value = entries.get(key);
			if (value === undefined) return undefined;
			entries.delete(key);
			entries.set(key, value);
			return value;
		},
		set(key, value) {
			remove(key);
			entries.set(key, value);
			weight += weigh(value);
			while (isTooMuch()) remove(entries.keys().next().value as K);
		},
		delete: remove,
		get size() {
			return entries.size;
		}
	};
}
