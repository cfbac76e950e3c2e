import type { Clock } from '#core/clock';
import type { Line } from './line.ts';

/** Reports of one error within this time after one was written down are only counted. */
const QUIET_MS = 60_000;
const REMEMBERED = 200;

type Known = { writtenMs: number; latest: Line; counted: number };

/** An error that keeps coming takes one line a minute, no matter who sends it. */
export function createRepetitions(clock: Clock) {
	const known = new Map<string, Known>();
	const pendingOf = ({ latest, counted }: Known): Line[] =>
		counted ? [{ ...latest, count: counted }] : [];

	return {
		/**
		 * What to write down now: nothing, the report with those that were counted, or what is forgotten to make room
		 * for it.
		 */
		add(line: Line): Line[] {
			const now = clock.monotonicMs();
			const before = known.get(line.id);
			if (before && now - before.writtenMs < QUIET_MS) {
				before.counted++;
				before.latest = line;
				return [];
			}
			known.delete(line.id);
			known.set(line.id, { writtenMs: now, latest: line, counted: 0 });
			const [oldest, forgotten] = known.size > REMEMBERED ? [...known][0]! : [];
			if (oldest) known.delete(oldest);
			return [
				...(forgotten ? pendingOf(forgotten) : []),
				{ ...line, count: 1 + (before?.counted ?? 0) }
			];
		},
		/** Counted but not yet written down, newest first. */
		pending: (): Line[] => [...known.values()].flatMap(pendingOf).reverse()
	};
}
