import { z } from 'zod';
import { Time } from './common.ts';

export type { Metric } from './plain/metric-units.ts';

export const POINTS_MAX = 1000;
export const POINTS = 300;
export const WINDOW = '24h';
const HOUR_MS = 3_600_000;
export const WINDOW_MAX_MS = 90 * 24 * HOUR_MS;

const value = z.number().nullable();
const values = {
	/** Resident memory of the game's process tree. */
	ramBytes: value,
	/** 100 is one core. */
	cpuPercent: value,
	players: value,
	/** Ticks a second, at most the 20 that the game aims for. */
	tps: value,
	/** Milliseconds a tick takes. */
	mspt: value
};
export const MetricValues = z.object(values);
export type MetricValues = z.infer<typeof MetricValues>;

/** Answer of `GET /api/analytics/now`: the newest sample, taken at `t`; all null while nothing is measured. */
export const MetricsNow = MetricValues.extend({ t: Time.nullable() });
export type MetricsNow = z.infer<typeof MetricsNow>;

const UNITS_MS: Record<string, number> = { m: HOUR_MS / 60, h: HOUR_MS, d: 24 * HOUR_MS };
/** `15m` … `90d`. */
export const Window = z
	.string()
	.regex(/^\d{1,4}[mhd]$/, 'Minutes, hours or days, as 30m, 24h or 7d')
	.refine((text) => {
		const ms = windowMs(text);
		return ms >= HOUR_MS / 4 && ms <= WINDOW_MAX_MS;
	}, 'From 15m to 90d');
export const windowMs = (text: string) => Number(text.slice(0, -1)) * UNITS_MS[text.at(-1)!]!;

const Moment = z
	.union([Time, z.iso.datetime({ offset: true })])
	.transform((text) => Date.parse(text));

/** Either `window`, counted back from now, or a range. */
export const AnalyticsQuery = z
	.object({
		window: Window.optional(),
		from: Moment.optional(),
		to: Moment.optional(),
		points: z.coerce.number().int().min(1).max(POINTS_MAX).default(POINTS)
	})
	.refine(({ from, to }) => (from === undefined) === (to === undefined), {
		path: ['to'],
		message: 'A range has a beginning and an end'
	})
	.refine(({ from, to }) => from === undefined || to === undefined || from < to, {
		path: ['to'],
		message: 'The end comes after the beginning'
	})
	.refine(({ window, from }) => window === undefined || from === undefined, {
		path: ['window'],
		message: 'Either a window or a range'
	});
export type AnalyticsQuery = z.infer<typeof AnalyticsQuery>;

export const AnalyticsEntry = MetricValues.extend({
	/** The start of the point's step. */
	t: Time,
	min: MetricValues,
	max: MetricValues
});
export type AnalyticsEntry = z.infer<typeof AnalyticsEntry>;

/** Steps without a sample are absent: the server was off, or nothing was measured. */
export const Analytics = z.object({
	from: Time,
	to: Time,
	stepMs: z.int(),
	entries: z.array(AnalyticsEntry)
});
export type Analytics = z.infer<typeof Analytics>;

/** The last hours, for small graphs: the n-th value is for the n-th step from `from`, null when there is none. */
export const Recent = z.object({
	from: Time,
	stepMs: z.int(),
	ramBytes: z.array(value),
	cpuPercent: z.array(value),
	players: z.array(value),
	tps: z.array(value),
	/** Of all samples; the values above are means of their steps. */
	most: MetricValues.omit({ mspt: true })
});
export type Recent = z.infer<typeof Recent>;

/** An event, drawn as a mark on the graphs. */
export const MetricEvent = z.object({
	t: Time,
	/** `hang`: it stopped responding; `answers`: it responded again. */
	kind: z.enum([
		...(['start', 'stop', 'restart', 'crash', 'hang', 'answers'] as const),
		...(['mods', 'rollback', 'backup', 'restore'] as const)
	]),
	label: z.string()
});
export type MetricEvent = z.infer<typeof MetricEvent>;

/** Answer of `GET /api/analytics/marks`: those in the range of `GET /api/analytics`, oldest first. */
export const MetricEvents = z.object({ events: z.array(MetricEvent) });
export type MetricEvents = z.infer<typeof MetricEvents>;
