import type { Clock } from '../clock.ts';

/**
 * Reports the first of each kind at once, and of repetitions only the number: a flood of them costs next to nothing.
 */
export interface Repeats<T, R> {
	/** What reporting the first one of this kind returned. */
	add(kind: string, item: T): R;
	/** Reports the counts so far. */
	close(): void;
}

/** The repetitions of one kind; `first` is what reporting the first one returned. */
export type Again<T, R> = {
	count: number;
	latest: T;
	first: R;
	/** There were more kinds than can be told apart: these are of several. */
	mixed: boolean;
};

type Options<T, R> = {
	clock: Clock;
	/** How often the counts are reported. A kind that has not recurred by then is forgotten. */
	everyMs: number;
	/** Until the counts are reported, further kinds beyond this number count as one. */
	kindsMax: number;
	first(item: T): R;
	again(again: Again<T, R>): void;
};

type Known<T, R> = { count: number; latest: T; first: R };

export function createRepeats<T, R>(options: Options<T, R>): Repeats<T, R> {
	const { clock, everyMs, kindsMax, first, again } = options;
	const kinds = new Map<string | typeof MIXED, Known<T, R>>();
	const closing = new AbortController();
	let watched = false;

	function tell() {
		for (const [kind, known] of [...kinds]) {
			const { count } = known;
			known.count = 0;
			if (count) again({ ...known, count, mixed: kind === MIXED });
			else kinds.delete(kind);
		}
	}
	/** No timer runs while there is nothing to count. */
	async function watch() {
		watched = true;
		while (kinds.size) {
			await clock.sleep(everyMs, closing.signal).catch(() => {}); // closed: reported at once
			tell();
		}
		watched = false;
	}

	return {
		add(kind, item) {
			const place = kinds.has(kind) || kinds.size < kindsMax ? kind : MIXED;
			const known = kinds.get(place);
			if (known) {
				known.count++;
				known.latest = item;
				return known.first;
			}
			const told = first(item);
			kinds.set(place, { count: 0, latest: item, first: told });
			if (!watched) void watch();
			return told;
		},
		close() {
			closing.abort();
			tell();
		}
	};
}

const MIXED = Symbol('several kinds');
