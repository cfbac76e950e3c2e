import type { Clock } from '#core/clock';
import { createLru } from '#core/lru';

/** Minimum time between two reports from one place. */
const SPACING_MS = 200;
const WINDOW_MS = 60_000;
/** Per place: a page that is broken everywhere has said enough by then. */
const PLACE_MAX = 30;
/** For all clients together: limits what is written to disk, however many addresses one sender has. */
const ALL_MAX = 300;
const PLACES_REMEMBERED = 1000;

type Window = { sinceMs: number; count: number; lastMs: number };

/** How many reports are accepted. `place` is an address prefix. */
export function createAllowance(clock: Clock) {
	const places = createLru<string, Window>(PLACES_REMEMBERED);
	let all: Window | undefined;

	const current = (window: Window | undefined, now: number): Window =>
		window && now - window.sinceMs < WINDOW_MS
			? window
			: { sinceMs: now, count: 0, lastMs: window?.lastMs ?? -Infinity };

	return {
		/** Returns false when this report is one too many. */
		take(place: string): boolean {
			const now = clock.monotonicMs();
			const mine = current(places.get(place), now);
			places.set(place, mine);
			all = current(all, now);
			if (now - mine.lastMs < SPACING_MS) return false;
			if (mine.count >= PLACE_MAX || all.count >= ALL_MAX) return false;
			mine.lastMs = now;
			mine.count++;
			all.count++;
			return true;
		}
	};
}
