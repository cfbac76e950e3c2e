import type { MetricEvent, MetricsNow } from '$lib/schemas/analytics';
import type { Status } from '$lib/schemas/status';
import { inUnit, type Metric } from '$lib/schemas/plain/metric-units';
import { isOfRun, VARIANTS, withUnit } from '$lib/game/metric-variants';
import {
	aheadOfUtc,
	day,
	dayOfMonth,
	minutesOf,
	monthOf,
	toTheSecond,
	wallClock,
	whole
} from '$lib/ui/format/format';
import type { Columns, Value } from './columns';

/** What the machine and the start command allow; `heap` is null when the command does not say. */
export type MetricLimits = { cores: number; heap: { bytes: number; option: string } | null };

/** One point of a line. Nulls break it. */
export type Point = { t: Date; mean: Value; min: Value; max: Value };

/**
 * Nearer than this, two values are neighbours whatever the step: an older history may have one a minute, with a little
 * jitter, and a question in between may have gone unanswered.
 */
const GAP_MS = 80_000;

/** The middle of a step, of which the last one may reach beyond the end. */
const middleOf = ({ from, to, stepMs }: Columns, step: number) =>
	Math.trunc((from + step * stepMs + Math.min(from + (step + 1) * stepMs, to)) / 2);

/** What the server was not up before, during or after. */
const ENDS: MetricEvent['kind'][] = [
	...(['start', 'stop', 'restart', 'crash', 'hang'] as const),
	...(['mods', 'rollback', 'restore'] as const)
];
/** When it was not up, in ms since 1970; what is `sudden` is noted at that very moment. */
export type End = { at: number; sudden: boolean };
export const endsOf = (events: MetricEvent[]): End[] =>
	events
		.filter(({ kind }) => ENDS.includes(kind))
		.map(({ t, kind }) => ({ at: Date.parse(t), sudden: kind === 'crash' }));
/** What has started it again may be noted this much later. */
const NOTED_MS = 60_000;
/** Longer steps are on both sides of what ends and starts within one. */
const SUDDEN_MAX_MS = 60_000;

/**
 * The known values of a metric. Where it was not known for longer, or not around one of the moments at which the server
 * was down, a point of nulls breaks the line; also where a crash and the start after it left no value out.
 */
export function pointsOf(columns: Columns, metric: Metric, ends: End[] = []): Point[] {
	const { from, stepMs, steps } = columns;
	const { mean, min, max } = columns[metric];
	const points: Point[] = [];
	let before: number | null = null;
	steps.forEach((step, i) => {
		if ((mean[i] ?? null) === null) return;
		const last = before ?? step;
		before = step;
		const skipped = (step - last) * stepMs;
		const until = from + step * stepMs;
		const wasDown = () => ends.some(({ at }) => at > until - skipped && at < until + NOTED_MS);
		const hasEnded = () =>
			ends.some(
				({ at, sudden }) => sudden && at > middleOf(columns, last) && at <= middleOf(columns, step)
			);
		if (
			skipped > stepMs * 1.5 ? skipped > GAP_MS || wasDown() : stepMs <= SUDDEN_MAX_MS && hasEnded()
		) {
			const t = new Date(from + (step - 0.5) * stepMs);
			points.push({ t, mean: null, min: null, max: null });
		}
		const t = new Date(middleOf(columns, step));
		points.push({ t, mean: mean[i] ?? null, min: min[i] ?? null, max: max[i] ?? null });
	});
	return points;
}

export const isKnown = ({ mean }: Point) => mean !== null;

/** Those without a neighbour, which no line reaches, each broken from the next; empty when there are none. */
export function loneOf(points: Point[]): Point[] {
	const isThere = (point: Point | undefined) => point !== undefined && isKnown(point);
	return points
		.filter((point, i) => isKnown(point) && !isThere(points[i - 1]) && !isThere(points[i + 1]))
		.flatMap((point) => [point, { ...point, mean: null }]);
}

const EDGES = [1, 2, 2.5, 4, 5, 8, 10];
/** A line at the very top would be cut in half. */
const HEADROOM = 1.04;

/** The scale's upper end and its marks, from 0: round numbers that include the highest value, and `also`. */
export function scaleOf(metric: Metric, points: Point[], also = 0) {
	const { least, decimals } = VARIANTS[metric];
	const wanted = points.reduce((top, { max }) => Math.max(top, max ?? 0), Math.max(least, also));
	const size = 10 ** Math.floor(Math.log10(wanted));
	const end = size * EDGES.find((edge) => edge * size >= wanted - 1e-9)!;
	const shown = Math.min(end >= 8 ? 0 : end >= 0.4 ? 1 : 2, decimals);
	const isRound = (value: number) => Number(value.toFixed(shown)) === value;
	const parts = [4, 5, 2].find((parts) => isRound(end / parts)) ?? 1;
	const marks = Array.from({ length: parts + 1 }, (_, i) => (end / parts) * i);
	return { top: end * HEADROOM, marks, decimals: shown };
}

/** The place of the point nearest to a moment; -1 when there is none. `points` are in order. */
export function nearest(points: Point[], at: number): number {
	const after = points.findIndex(({ t }) => t.getTime() >= at);
	if (after === -1) return points.length - 1;
	const before = points[after - 1];
	return before && at - before.t.getTime() < points[after]!.t.getTime() - at ? after - 1 : after;
}

/** What the top bar shows as well is the same number here: a sample may be 15 s old, or not there yet. */
export const nowWith = (
	sample: MetricsNow,
	{ tps, players, ...status }: Pick<Status, 'state' | 'startedAt' | 'tps' | 'players'>
): MetricsNow => ({
	...(isOfRun(sample, status) ? sample : { ...NOTHING, t: sample.t }),
	...{ tps, players: players.online }
});
const NOTHING = { ramBytes: null, cpuPercent: null, mspt: null };

/**
 * The lowest, average and highest value of what is shown; null when nothing is known.
 * @param newest - In the unit of the points, and newer than any of them.
 */
export function summary(known: Point[], newest: Value = null) {
	if (!known.length) return null;
	const latest = newest === null ? [] : [newest];
	const peak = known.reduce((top, one) => (one.max! > top.max! ? one : top));
	return {
		lowest: Math.min(...latest, ...known.map(({ min }) => min!)),
		average: known.reduce((sum, { mean }) => sum + mean!, 0) / known.length,
		highest: Math.max(...latest, peak.max!),
		/** The step in which it was first reached; null where that is now. */
		peak: newest !== null && newest > peak.max! ? null : peak
	};
}

/**
 * The moment of the step nearest to `at` in which anything was measured, as its points have it; `at` itself where nothing
 * was.
 */
export const stepAt = (columns: Columns, at: number): number =>
	columns.steps
		.map((step) => middleOf(columns, step))
		.reduce(
			(best: number | null, one) =>
				best === null || Math.abs(one - at) < Math.abs(best - at) ? one : best,
			null
		) ?? at;

/** A line that values are measured against. */
export type Reference = { at: number; label: string };
const FULL_SPEED_MSPT = 50;

/** In the metric's unit. */
export function referencesOf(metric: Metric, { cores, heap }: MetricLimits): Reference[] {
	if (metric === 'mspt') return [{ at: FULL_SPEED_MSPT, label: 'above 50 ms the game slows down' }];
	if (metric === 'cpuPercent') return [{ at: cores * 100, label: allOf(cores) }];
	if (metric !== 'ramBytes' || !heap) return [];
	const at = inUnit(metric, heap.bytes);
	return [{ at, label: `heap limit ${withUnit(metric, at)} (${heap.option})` }];
}

const allOf = (cores: number) =>
	`${cores * 100} % is all of ${cores === 1 ? '1 core' : `${cores} cores`}`;

/** What all of it would be: `; 200 % is all of 2 cores`. */
export const wholeOf = (metric: Metric, { cores }: MetricLimits) =>
	metric === 'cpuPercent' ? `; ${allOf(cores)}` : '';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const TICKS_MS = [
	...[5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
	...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_MS),
	...[1, 2, 5, 10].map((days) => days * DAY_MS)
];
const TICKS_MAX = 9;

/** Round moments of the reader's day, with what to call them. */
export function timeTicks(from: number, to: number, timeZone?: string) {
	const step = TICKS_MS.find((ms) => (to - from) / ms <= TICKS_MAX);
	// Local times as if they were UTC: midnight there is not midnight here.
	const [begin, end] = [from, to].map((at) => at + aheadOfUtc(at, timeZone)) as [number, number];
	const locals = step ? multiples(begin, end, step) : months(begin, end);
	return locals
		.map((local) => ({ at: fromLocal(local, timeZone), label: tickLabel(local, !step) }))
		.filter(({ at }) => at >= from && at <= to);
}

function multiples(begin: number, end: number, step: number): number[] {
	const first = Math.ceil(begin / step);
	const last = Math.floor(end / step);
	return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}

function months(begin: number, end: number): number[] {
	const every = Math.ceil((end - begin) / (31 * DAY_MS) / TICKS_MAX);
	const date = new Date(begin);
	const firsts: number[] = [];
	for (let month = date.getUTCMonth() + 1; ; month++) {
		const at = Date.UTC(date.getUTCFullYear(), month);
		if (at > end) break;
		if (new Date(at).getUTCMonth() % every === 0) firsts.push(at);
	}
	return firsts;
}

/** Twice, for the days on which the clocks change. */
const fromLocal = (local: number, timeZone?: string) =>
	local - aheadOfUtc(local - aheadOfUtc(local, timeZone), timeZone);

function tickLabel(local: number, isMonth: boolean): string {
	const wall = new Date(local);
	if (isMonth) return wall.getUTCMonth() === 0 ? String(wall.getUTCFullYear()) : monthOf(wall);
	return local % DAY_MS === 0 ? dayOfMonth(wall) : minutesOf(wall);
}

/** `20 Nov, 14:05`; with seconds when steps are that short, without a time when they are days. */
export function moment(at: number | Date, stepMs: number, timeZone?: string) {
	const wall = wallClock(at, timeZone);
	return stepMs >= DAY_MS ? day(at, { timeZone }) : `${dayOfMonth(wall)}, ${timeOf(wall, stepMs)}`;
}

const timeOf = (wall: Date, stepMs: number) =>
	stepMs < MINUTE_MS ? toTheSecond(wall) : minutesOf(wall);

/** As short as the window allows: without the date when it is that of a day, as the axis has it. */
export const shortMoment = (at: number | Date, { from, to, stepMs }: Columns, timeZone?: string) =>
	to - from > DAY_MS + HOUR_MS
		? moment(at, stepMs, timeZone)
		: timeOf(wallClock(at, timeZone), stepMs);

/** On its own, without an axis beside it: with the date where it is another one than at the end of the window. */
export const loneMoment = (at: number | Date, columns: Columns, timeZone?: string) =>
	dayOfMonth(wallClock(at, timeZone)) === dayOfMonth(wallClock(columns.to, timeZone))
		? shortMoment(at, columns, timeZone)
		: moment(at, columns.stepMs, timeZone);

/**
 * `20 Nov, 14:05 – 21 Nov, 02:00`, within a day `20 Nov, 14:05 – 16:00`, of months in days. It breaks at the dash only.
 */
export const spanLabel = (from: number, to: number, timeZone?: string) => {
	const stepMs = to - from > 60 * DAY_MS ? DAY_MS : MINUTE_MS;
	const [begin, end] = [from, to].map((at) => wallClock(at, timeZone)) as [Date, Date];
	const isOneDay = dayOfMonth(begin) === dayOfMonth(end) && to - from <= DAY_MS;
	const ends = [
		moment(from, stepMs, timeZone),
		isOneDay ? timeOf(end, stepMs) : moment(to, stepMs, timeZone)
	];
	return ends.map(whole).join('\u00a0– ');
};

/** What happened around one place of the graphs. */
export type Flag = { at: number; kind: MetricEvent['kind']; events: MetricEvent[] };

/** Nearer than this, in shares of the width, they share a flag. */
const NEAR = 0.02;
/** The most important event decides how the flag looks. */
const WEIGHT: MetricEvent['kind'][] = [
	'crash',
	'hang',
	'rollback',
	'restore',
	'mods',
	'restart',
	'start',
	'answers',
	'stop',
	'backup'
];

export function flagsOf(events: MetricEvent[], from: number, to: number): Flag[] {
	const flags: Flag[] = [];
	for (const event of events) {
		const at = Date.parse(event.t);
		const last = flags.at(-1);
		if (last && at - last.at < NEAR * (to - from)) last.events.push(event);
		else flags.push({ at, kind: event.kind, events: [event] });
	}
	return flags.map((flag) => ({
		...flag,
		kind: WEIGHT.find((kind) => flag.events.some((event) => event.kind === kind)) ?? flag.kind
	}));
}

export const PRESETS = ['15m', '1h', '6h', '24h', '7d', '30d', '90d'];
const UNITS: Record<string, string> = { m: 'minute', h: 'hour', d: 'day' };
/** `15 minutes`, `1 hour`, `7 days`. */
export const windowLabel = (window: string) => {
	const count = Number.parseInt(window, 10);
	return `${count} ${UNITS[window.at(-1)!]}${count === 1 ? '' : 's'}`;
};

/**
 * Of a window that ends now, the query of one so many times as long that ends now as well: where whole hours allow it
 * another window, which keeps moving, and a range otherwise.
 */
export function untilNow(from: number, to: number, by: number): string {
	const ms = (to - from) * by;
	const hours = Math.round(ms / HOUR_MS);
	const days = Math.round(ms / DAY_MS);
	if (by > 1 && ms < HOUR_MS) return 'window=1h';
	if (days > 90 || ms < 0.9 * HOUR_MS) return rangeQuery(to - ms, to);
	return `window=${hours >= 48 ? `${days}d` : `${hours}h`}`;
}

/** The query of what comes half a range later, which never goes beyond now. */
export function laterQuery(from: number, to: number, now: number): string {
	const half = (to - from) / 2;
	return to + half < now ? rangeQuery(from + half, to + half) : untilNow(now - 2 * half, now, 1);
}

/** Half of a range, around a moment of it and within it. */
export function halfAround(at: number, from: number, to: number): [from: number, to: number] {
	const ms = (to - from) / 2;
	const start = Math.min(Math.max(from, at - ms / 2), to - ms);
	return [start, start + ms];
}

/** A range as an address has it, at least two minutes of it. */
export function rangeQuery(from: number, to: number): string {
	const lack = Math.max(0, 2 * MINUTE_MS - (to - from)) / 2;
	const iso = (at: number) => new Date(Math.round(at / 1000) * 1000).toISOString();
	return `from=${iso(from - lack)}&to=${iso(to + lack)}`;
}
export const rangeAddress = (from: number, to: number) =>
	`/admin/analytics?${rangeQuery(from, to)}`;
const HALF_HOUR_MS = 1_800_000;
/** Of the time around these, which are in order; always less than the span that is shown, in ms. */
export function addressAround(events: MetricEvent[], span: number): string {
	const [first, last] = [Date.parse(events[0]!.t), Date.parse(events.at(-1)!.t)];
	const beside = Math.min(HALF_HOUR_MS, span / 8);
	return rangeAddress(first - beside, last + beside);
}
