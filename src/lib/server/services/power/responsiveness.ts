import type { Clock } from '#core/clock';

/** A server that is ready and still answers nothing so long after the first lost probe hangs: one lost probe is no alarm. */
export const SILENCE_MS = 3000;
/** Probes further apart than this say nothing about the time between them; the graphs' samples come every 15 s. */
const GAP_MS = 20_000;

/** Judges by probes that were actually made: while nobody asks, a server cannot be silent. */
export function createResponsiveness(clock: Clock) {
	let answeredMs = -Infinity;
	let lost: { sinceMs: number; firstMs: number; lastMs: number } | null = null;
	return {
		probed(ok: boolean) {
			const nowMs = clock.monotonicMs();
			if (ok) {
				answeredMs = nowMs;
				lost = null;
			} else if (lost && nowMs - lost.lastMs <= GAP_MS) lost.lastMs = nowMs;
			else {
				const sinceMs = nowMs - answeredMs <= GAP_MS ? answeredMs : nowMs;
				lost = { sinceMs, firstMs: nowMs, lastMs: nowMs };
			}
		},
		/** The last probe was lost; the next one tells whether it was only that one. */
		get begun() {
			return lost !== null;
		},
		/** Milliseconds since the last answer; null while it is no more than a lost probe. */
		lastedMs: () =>
			lost && lost.lastMs - lost.firstMs >= SILENCE_MS ? lost.lastMs - lost.sinceMs : null,
		/** When the last answer came, or else the first probe was lost; on the monotonic clock, null while it answers. */
		get sinceMs() {
			return lost && lost.sinceMs;
		},
		reset() {
			lost = null;
			answeredMs = -Infinity;
		}
	};
}
