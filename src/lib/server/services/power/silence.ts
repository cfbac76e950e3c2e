import type { Clock } from '../../core/clock.ts';

/** A server that is ready and lets every probe go unanswered for so long has hung. */
export const SILENCE_MS = 20_000;
/** Probes further apart than this say nothing about the time between them. */
const GAP_MS = 15_000;

/** Judges by probes that were really made: while nobody asks, a server cannot be silent. */
export function createSilence(clock: Clock) {
	let sinceMs: number | null = null;
	let lastMs = -Infinity;
	return {
		probed(ok: boolean) {
			const nowMs = clock.monotonicMs();
			if (ok) sinceMs = null;
			else if (sinceMs === null || nowMs - lastMs > GAP_MS) sinceMs = nowMs;
			lastMs = nowMs;
		},
		/** Milliseconds over which every probe failed. */
		lastedMs: () => (sinceMs === null ? 0 : lastMs - sinceMs),
		reset() {
			sinceMs = null;
		}
	};
}
