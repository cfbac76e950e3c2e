import { expect, test } from 'vitest';
import type { AnalyticsEntry, MetricEvent } from '$lib/schemas/analytics';
import { METRICS } from '$lib/schemas/plain/metric-units';
import { amount } from '$lib/game/metric-variants';
import { toColumns, type Columns } from './columns';
import {
	flagsOf,
	halfAround,
	isKnown,
	laterQuery,
	loneMoment,
	moment,
	nearest,
	nowWith,
	pointsOf,
	endsOf,
	rangeAddress,
	referencesOf,
	scaleOf,
	spanLabel,
	stepAt,
	summary,
	timeTicks,
	untilNow,
	wholeOf,
	windowLabel
} from './metrics';
import { sparkPath } from '../overview/sparklines/spark-path';

const NONE = { ramBytes: null, cpuPercent: null, players: null, tps: null, mspt: null };
const FROM = '2026-03-01T00:00:00.000Z';
const at = (minute: number, values: Partial<typeof NONE | Record<string, number>> = {}) =>
	({
		t: new Date(Date.parse(FROM) + minute * 60_000).toISOString(),
		...{ ...NONE, ...values },
		...{ min: { ...NONE, ...values }, max: { ...NONE, ...values } }
	}) as AnalyticsEntry;
const columnsOf = (entries: AnalyticsEntry[], stepMs = 60_000) =>
	toColumns({ from: FROM, to: '2026-03-01T01:00:00.000Z', stepMs, entries });

test('what the top bar shows as well is the same number here, whatever was measured last', () => {
	const status = {
		state: 'running',
		startedAt: null,
		tps: 20,
		players: { online: 5, max: 20, names: null }
	} as const;
	const sample = { ...NONE, t: FROM, players: 4, tps: 19.2, mspt: 12 };
	expect(nowWith(sample, status)).toEqual({ ...sample, players: 5, tps: 20 });
	expect(nowWith({ ...NONE, t: null }, status)).toMatchObject({ players: 5, tps: 20, mspt: null });
	const players = { online: null, max: null, names: null };
	const unknown = { state: 'unknown', startedAt: null, tps: null, players } as const;
	expect(nowWith(sample, unknown)).toEqual({ ...sample, players: null, tps: null });
	const ended = { ...unknown, state: 'crashed' } as const;
	expect(nowWith(sample, ended)).toEqual({ ...NONE, t: FROM });
	// It was measured in the run before.
	const begun = { ...ended, state: 'starting', startedAt: '2026-03-01T00:00:01.000Z' } as const;
	expect(nowWith(sample, begun)).toEqual({ ...NONE, t: FROM });
});

test('every metric is shown with its unit and decimals, and the unknown is a dash', () => {
	expect(METRICS).toEqual(['ramBytes', 'cpuPercent', 'players', 'tps', 'mspt']);
	expect(
		METRICS.map((metric) => amount(metric, 2_345_678_901 / (metric === 'ramBytes' ? 1 : 1e8)))
	).toEqual(['2.35 GB', '23 %', '23', '23.5', '23.5 ms']);
	expect(amount('tps', null)).toBe('–');
});

test('a little CPU is not nothing: below 10 % there is a decimal', () => {
	expect([0.04, 0.4, 9.94, 9.96, 12.3].map((value) => amount('cpuPercent', value))).toEqual([
		'0.0 %',
		'0.4 %',
		'9.9 %',
		'10 %',
		'12 %'
	]);
	expect(amount('players', 3)).toBe('3');
});

test('a step stands in its middle, and the last one, which ends after what is shown, before its end', () => {
	const columns = columnsOf([at(0, { tps: 20 }), at(50, { tps: 19 })], 50 * 60_000);
	expect(pointsOf(columns, 'tps').map(({ t }) => t.toISOString().slice(11, 16))).toEqual([
		'00:25',
		'00:55'
	]);
});

test('an interval without samples breaks the line, and so does a metric that is unknown', () => {
	const columns = columnsOf([at(0, { tps: 20 }), at(1, { tps: 19 }), at(5, { tps: 18 }), at(6)]);
	expect(pointsOf(columns, 'tps').map(({ mean }) => mean)).toEqual([20, 19, null, 18]);
	expect(pointsOf(columns, 'mspt').every(({ mean }) => mean === null)).toBe(true);
	expect(pointsOf(columnsOf([]), 'tps')).toEqual([]);
});

test('two samples in one interval of 15 s and none in the next are not a gap', () => {
	const columns = columnsOf([at(0, { tps: 20 }), at(0.5, { tps: 20 }), at(2, { tps: 20 })], 15_000);
	expect(pointsOf(columns, 'tps').map(({ mean }) => mean)).toEqual([20, 20, null, 20]);
});

test('samples of a minute apart are joined in steps of 15 s, and one question without an answer is no gap', () => {
	const minutes = [
		at(0, { tps: 20 }),
		at(1, { tps: 20 }),
		at(2.25, { tps: 19 }),
		at(4, { tps: 18 })
	];
	expect(pointsOf(columnsOf(minutes, 15_000), 'tps').map(({ mean }) => mean)).toEqual([
		...[20, 20, 19, null, 18]
	]);
	const unanswered = [at(0, { tps: 20 }), at(0.25), at(0.5, { tps: 20 })];
	expect(pointsOf(columnsOf(unanswered, 15_000), 'tps').every(isKnown)).toBe(true);
});

test('scales begin at 0, end on a round number above the highest value, and players are whole', () => {
	const marks = (metric: Parameters<typeof scaleOf>[0], max: number) => {
		const { marks, decimals } = scaleOf(metric, [{ t: new Date(), mean: 1, min: 1, max }]);
		return marks.map((mark) => mark.toFixed(decimals)).join(' ');
	};
	expect(marks('tps', 20)).toBe('0 5 10 15 20');
	expect(marks('players', 0)).toBe('0 1 2 3 4');
	expect(marks('players', 101)).toBe('0 50 100 150 200');
	expect(marks('cpuPercent', 730)).toBe('0 200 400 600 800');
	expect(marks('mspt', 3)).toBe('0 10 20 30 40 50');
	expect(marks('ramBytes', 0.7)).toBe('0.0 0.2 0.4 0.6 0.8');
	expect(marks('ramBytes', 0.11)).toBe('0.00 0.05 0.10 0.15 0.20');
	expect(marks('cpuPercent', 14)).toBe('0 5 10 15 20');
});

test('on the day on which the clocks change each hour appears once, and midnight is midnight there', () => {
	const zone = 'Europe/Berlin';
	const [from, to] = [Date.parse('2026-03-28T22:00:00Z'), Date.parse('2026-03-29T22:00:00Z')];
	const ticks = timeTicks(from, to, zone);
	expect(ticks.map(({ label }) => label)).toEqual([
		...['29 Mar', '03:00', '06:00', '09:00', '12:00', '15:00', '18:00', '21:00', '30 Mar']
	]);
	expect(new Set(ticks.map(({ at }) => at)).size).toBe(ticks.length);
	expect(moment(ticks[0]!.at, 60_000, zone)).toBe('29 Mar, 00:00');
});

test('any range has a few time marks, a year has months', () => {
	const to = Date.parse('2026-11-20T14:05:33Z');
	for (const hours of [0.05, 1, 6, 24, 24 * 7, 24 * 30, 24 * 90, 24 * 365]) {
		const { length } = timeTicks(to - hours * 3_600_000, to, 'UTC');
		expect(length).toBeGreaterThanOrEqual(hours < 1 ? 0 : 3);
		expect(length).toBeLessThanOrEqual(11);
	}
	const year = timeTicks(to - 365 * 86_400_000, to, 'UTC').map(({ label }) => label);
	expect(year).toEqual(['2026', 'Mar', 'May', 'Jul', 'Sept', 'Nov']);
});

test('events at one place share a flag, which shows the most important one', () => {
	const event = (minute: number, kind: MetricEvent['kind']) => ({
		t: at(minute).t,
		kind,
		label: kind
	});
	const [from, to] = [Date.parse(FROM), Date.parse(FROM) + 3_600_000];
	const flags = flagsOf([event(1, 'backup'), event(1.5, 'crash'), event(30, 'start')], from, to);
	expect(flags.map(({ kind, events }) => [kind, events.length])).toEqual([
		['crash', 2],
		['start', 1]
	]);
});

test('a range has an address, never one of less than two minutes', () => {
	expect(rangeAddress(Date.parse(FROM), Date.parse(FROM) + 1_000)).toBe(
		'/admin/analytics?from=2026-02-28T23:59:01.000Z&to=2026-03-01T00:01:01.000Z'
	);
	expect(windowLabel('15m')).toBe('15 minutes');
	expect(windowLabel('1h')).toBe('1 hour');
	expect(windowLabel('30d')).toBe('30 days');
});

test('what ends now is zoomed towards now, in windows that keep moving where there are such', () => {
	const to = Date.parse(FROM);
	const zoomed = (hours: number, by: number) => untilNow(to - hours * 3_600_000, to, by);
	expect([24, 7 * 24, 90 * 24, 3, 2.01].map((hours) => zoomed(hours, 0.5))).toEqual([
		...['window=12h', 'window=4d', 'window=45d', 'window=2h', 'window=1h']
	]);
	expect(zoomed(1, 0.5)).toBe('from=2026-02-28T23:30:00.000Z&to=2026-03-01T00:00:00.000Z');
	expect(zoomed(24, 2)).toBe('window=2d');
	expect(zoomed(0.25, 2)).toBe('window=1h');
	expect(zoomed(90 * 24, 2)).toMatch(/^from=2025-.+&to=2026-03-01/);
});

test('what comes later ends now at the latest, in a window that keeps moving where there is such', () => {
	const now = Date.parse(FROM);
	const later = (hoursAgo: number, hours: number) =>
		laterQuery(now - (hoursAgo + hours) * 3_600_000, now - hoursAgo * 3_600_000, now);
	expect(later(12, 8)).toBe('from=2026-02-28T08:00:00.000Z&to=2026-02-28T16:00:00.000Z');
	expect([later(12, 24), later(2, 24), later(1, 6)]).toEqual([
		...['window=24h', 'window=24h', 'window=6h']
	]);
	expect(later(0.1, 0.5)).toBe('from=2026-02-28T23:30:00.000Z&to=2026-03-01T00:00:00.000Z');
});

test('half of a range is around the moment that is looked at, and never leaves the range', () => {
	expect(halfAround(60, 0, 100)).toEqual([35, 85]);
	expect(halfAround(10, 0, 100)).toEqual([0, 50]);
	expect(halfAround(95, 0, 100)).toEqual([50, 100]);
});

test('a range within a day names the day once, and breaks at the dash only', () => {
	const label = (hours: number) =>
		spanLabel(Date.parse(FROM), Date.parse(FROM) + hours * 3_600_000, 'UTC');
	expect(label(2).replaceAll('\u00a0', '_')).toBe('1_Mar,_00:00_– 02:00');
	expect(label(25).replaceAll('\u00a0', ' ')).toBe('1 Mar, 00:00 – 2 Mar, 01:00');
	expect(label(24 * 90).replaceAll('\u00a0', ' ')).toBe('1 Mar 2026 – 30 May 2026');
});

test('a window is summarised by its lowest, average and highest value, not by those of the intervals', () => {
	const points = ['mean', 'min', 'max'].map((_, i) => ({
		...{ t: new Date(Date.parse(FROM) + i * 60_000), mean: 10 + i },
		...{ min: 9 - i, max: 20 + i }
	}));
	const peak = points[2];
	expect(summary(points)).toEqual({ lowest: 7, average: 11, highest: 22, peak });
	expect(summary(points, 3)).toEqual({ lowest: 3, average: 11, highest: 22, peak });
	expect(summary(points, 25)).toEqual({ lowest: 7, average: 11, highest: 25, peak: null });
	expect(summary([], 3)).toBeNull();
	expect(summary([])).toBeNull();
});

test('the nearest point is found before, between and after all of them', () => {
	const points = pointsOf(columnsOf([at(0, { tps: 20 }), at(1, { tps: 19 })]), 'tps');
	const from = Date.parse(FROM);
	expect([-60, 30, 50, 70, 9000].map((s) => nearest(points, from + s * 1000))).toEqual([
		...[0, 0, 0, 1, 1]
	]);
	expect(nearest([], from)).toBe(-1);
});

test('a line is broken where the server was down, however short that was', () => {
	const points = (minutes: number[], ...ends: [number, MetricEvent['kind']][]) =>
		pointsOf(
			columnsOf(
				minutes.map((minute) => at(minute, { tps: 20 })),
				15_000
			),
			'tps',
			endsOf(
				ends.map(([s, kind]) => ({
					...{ t: new Date(Date.parse(FROM) + s * 1000).toISOString(), kind, label: kind }
				}))
			)
		).map(({ mean }) => mean);
	const gap = [0, 0.25, 1];
	expect(points(gap)).toEqual([20, 20, 20]);
	expect(points(gap, [30, 'crash'])).toEqual([20, 20, null, 20]);
	// The restart that it was for is noted when it is over.
	expect(points(gap, [80, 'restart'])).toEqual([20, 20, null, 20]);
	expect(points(gap, [20, 'backup'], [300, 'crash'])).toEqual([20, 20, 20]);
	// Nothing is left out where it is up again at once; only a crash is noted when it is.
	const all = [0, 0.25, 0.5];
	expect(points(all, [23, 'crash'])).toEqual([20, 20, null, 20]);
	expect(points(all, [3, 'crash'], [40, 'crash'])).toEqual([20, 20, 20]);
	expect(points(all, [20, 'restart'])).toEqual([20, 20, 20]);
});

test('a crash within a long step breaks no line: the step is on both sides of it', () => {
	const columns = columnsOf([at(0, { tps: 20 }), at(5, { tps: 19 })], 300_000);
	const crash = { t: new Date(Date.parse(FROM) + 200_000).toISOString(), kind: 'crash', label: '' };
	const points = pointsOf(columns, 'tps', endsOf([crash as MetricEvent]));
	expect(points.map(({ mean }) => mean)).toEqual([20, 19]);
});

test('all graphs look at the same step, also where one of them measured nothing in it', () => {
	const columns = columnsOf([at(0, { tps: 20, ramBytes: 1e9 }), at(1, { ramBytes: 1e9 })]);
	const from = Date.parse(FROM);
	const looked = stepAt(columns, from + 100_000);
	expect(looked).toBe(pointsOf(columns, 'ramBytes')[1]!.t.getTime());
	expect(pointsOf(columns, 'tps').map(({ t }) => t.getTime())).not.toContain(looked);
	expect(stepAt(columns, from)).toBe(pointsOf(columns, 'tps')[0]!.t.getTime());
	expect(stepAt(columnsOf([]), from + 5)).toBe(from + 5);
});

test('values are compared with full speed, all cores and the heap where the command states it', () => {
	const heap = { bytes: 4 * 1024 ** 3, option: '-Xmx4G' };
	const limits = { cores: 2, heap };
	const labels = METRICS.flatMap((metric) => referencesOf(metric, limits)).map(
		({ label }) => label
	);
	expect(labels).toEqual([
		'heap limit 4.29 GB (-Xmx4G)',
		'200 % is all of 2 cores',
		'above 50 ms the game slows down'
	]);
	expect(referencesOf('ramBytes', { cores: 1, heap: null })).toEqual([]);
	expect(wholeOf('cpuPercent', { cores: 1, heap })).toBe('; 100 % is all of 1 core');
});

test('a sparkline restarts after a gap, and a lone value is a dot', () => {
	expect(sparkPath([0, 5, null, 10, null], 10)).toBe('M0 28L0 28L25 14M75 0L75 0');
	expect(sparkPath([], 1)).toBe('');
	expect(sparkPath([null, null], 0)).toBe('');
	expect(sparkPath([null, 5, null], 1)).toBe('');
});

test('a time beside no axis has its date where that is not the one of the end', () => {
	const to = Date.parse('2026-11-28T21:59:00Z');
	const columns = { from: to - 24 * 3_600_000, to, stepMs: 60_000 } as Columns;
	expect(loneMoment(to - 3_600_000, columns, 'UTC')).toBe('20:59');
	expect(loneMoment(to - 23 * 3_600_000, columns, 'UTC')).toBe('27 Nov, 22:59');
});
