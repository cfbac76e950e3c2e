import type { AnalyticsEntry } from '#schemas/analytics';
import { METRICS, type Metric } from '#schemas/plain/metric-units';
import type { Row } from '#storage/metrics';

/** Milliseconds since 1970; `from` is a multiple of the step. */
export type Range = { from: number; to: number; stepMs: number };

export const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/**
 * Step lengths that people think in, each a fraction of a day; longer ones are whole days. The shortest is one sample.
 */
const STEPS_MS = [
	15_000,
	30_000,
	...[1, 2, 3, 5, 10, 15, 20, 30].map((minutes) => minutes * MINUTE_MS),
	...[1, 2, 3, 4, 6, 8, 12].map((hours) => hours * HOUR_MS)
];
/** A longer range is cut at its start: reading more would keep the machine busy without showing anything more. */
const RANGE_MAX_MS = 400 * DAY_MS;
/** The smallest meaningful part of each number: one in so many. */
const PARTS: Record<Metric, number> = {
	ramBytes: 1,
	cpuPercent: 10,
	players: 100,
	tps: 100,
	mspt: 100
};

/** The shortest round step that splits a range into at most `points`, wherever in a step the range begins. */
export function stepFor(ms: number, points: number): number {
	const least = ms / Math.max(1, points - 1);
	return (
		STEPS_MS.find((step) => step >= least) ??
		Math.ceil(Math.min(least, RANGE_MAX_MS) / DAY_MS) * DAY_MS
	);
}

export function rangeOf(
	asked: { from: number; to: number },
	points: number,
	stepMs?: number
): Range {
	const { to } = asked;
	const from = Math.max(asked.from, to - RANGE_MAX_MS);
	const step = stepMs ?? stepFor(to - from, points);
	const begin = Math.floor(from / step) * step;
	// A single point covers everything in its step, however the range lies across steps.
	const fits = Math.ceil((to - begin) / step) <= points;
	return { from: fits ? begin : begin + step, to, stepMs: step };
}

/** Sums of the samples in each step. */
export function createBuckets({ from, to, stepMs }: Range) {
	const steps = Math.ceil((to - from) / stepMs);
	const numbers = () => new Float64Array(steps * METRICS.length);
	const [count, sum, min, max] = [numbers(), numbers(), numbers(), numbers()];
	const seen = new Uint8Array(steps);

	function valuesOf(step: number, value: (at: number) => number) {
		const values = {} as Record<Metric, number | null>;
		let at = step * METRICS.length;
		for (const metric of METRICS) {
			const parts = PARTS[metric];
			values[metric] = count[at] ? Math.round(value(at) * parts) / parts : null;
			at++;
		}
		return values;
	}

	return {
		/** Row: time, then the metrics in their order; NaN is unknown. */
		add(row: Row) {
			const step = Math.floor((row[0]! - from) / stepMs);
			seen[step] = 1;
			for (let m = 0; m < METRICS.length; m++) {
				const value = row[m + 1]!;
				if (Number.isNaN(value)) continue;
				const at = step * METRICS.length + m;
				if (count[at]! === 0 || value < min[at]!) min[at] = value;
				if (count[at]! === 0 || value > max[at]!) max[at] = value;
				count[at]!++;
				sum[at]! += value;
			}
		},
		/** Oldest first; steps without a sample are left out. */
		entries(): AnalyticsEntry[] {
			const entries: AnalyticsEntry[] = [];
			for (let step = 0; step < steps; step++) {
				if (!seen[step]) continue;
				entries.push({
					t: new Date(from + step * stepMs).toISOString(),
					...valuesOf(step, (at) => sum[at]! / count[at]!),
					min: valuesOf(step, (at) => min[at]!),
					max: valuesOf(step, (at) => max[at]!)
				});
			}
			return entries;
		}
	};
}
