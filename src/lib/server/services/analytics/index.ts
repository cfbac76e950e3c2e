import {
	WINDOW,
	windowMs,
	type Analytics as Answer,
	AnalyticsQuery,
	type MetricEvent,
	type MetricsNow,
	type Recent
} from '#schemas/analytics';
import type { ServerState } from '#schemas/status';
import type { Clock } from '#core/clock';
import { errno } from '#core/errors';
import type { Outage } from '#core/log';
import { createSerial } from '#core/serial';
import { createTtlMap } from '#core/ttl-cache';
import type { AppEvent } from '#events';
import type { MetricEvents, RecentMetrics } from '#storage/metrics';
import { createBuckets, MINUTE_MS, rangeOf, stepFor, type Range } from './buckets.ts';
import { createMarks } from './marks.ts';
import { createSampler, type Sample, type SamplerDeps, type Seen } from './sampler.ts';

export type { Sample };

/** What the server used and how it ran, over time. */
export interface Analytics {
	/**
	 * The requested range, with its start moved back to a whole step: steps have a round length in UTC, and there are
	 * never more than `points`. At most 400 days. Cached for 30 s; identical requests share one reading of the file.
	 */
	read(query: AnalyticsQuery): Promise<Answer>;
	/** What happened to the server in [from, to), ISO 8601, oldest first. */
	events(range: { from: string; to: string }): Promise<MetricEvent[]>;
	/** A few numbers for the last hours, for small graphs; a step without a sample is null. */
	recent(hours: number): Promise<Recent>;
	/** What the machine and the start command allow, to compare the values with. */
	limits(): Promise<MetricLimits>;
	/** What was last seen, without a new probe; null before the first one. */
	latest(): Latest | null;
	/** The newest sample as the graphs have it; all null when there is none, or none of the last minute. */
	now(): MetricsNow;
	/** How slow it runs, and since when it has been slow; null while it is not, or nobody knows. */
	slow(): Slow | null;
	/** The server's state has changed: a crash is recorded with its own time, not at the next sample. */
	changed(): void;
	/** Null while samples can be written. */
	readonly outage: Outage['now'];
	/** Starts sampling, every 15 s while the server's process is alive. */
	start(): void;
	close(): void;
}

/** `heap` is null when the start command does not say. */
export type MetricLimits = { cores: number; heap: { bytes: number; option: string } | null };
export type Slow = { since: string; tps: number; mspt: number | null };
/** `sample` is null while no process runs. */
export type Latest = { state: ServerState; sample: Sample | null };

type Deps = Omit<SamplerDeps, 'seen'> & {
	metrics: RecentMetrics;
	events: MetricEvents;
	subscribe: (listener: (fact: AppEvent) => void) => () => void;
	clock: Clock;
	limits: () => Promise<MetricLimits>;
};

export const CACHE_MS = 30_000;
/** Each answer is up to half a megabyte in memory. */
const CACHED_MAX = 16;
/** An older sample says nothing about now: measuring fails. */
const FRESH_MS = MINUTE_MS;
/** Once the memory of the start has been given back: that throws compiled code away too. */
const PREPARE_AFTER_MS = 2_500;
/** What is looked at most: the overview's small graphs show the last hours, the page of graphs opens with a day. */
const PREPARED = ['1h', '6h', WINDOW];
const RECENT_STEP_MS = 5 * MINUTE_MS;

export function createAnalytics(deps: Deps): Analytics {
	const { metrics, clock, log, observe } = deps;
	const answers = createTtlMap<string, Answer>({ ttlMs: CACHE_MS, max: CACHED_MAX, clock });
	const marks = createMarks(deps);
	let state: ServerState | null = null;
	const seen = (now: Seen) => {
		state = now.state;
		return marks.seen(now);
	};
	const sampler = createSampler({ ...deps, seen });
	const closing = new AbortController();
	/** One after the other: even ten requests for a year are all answered, and the dashboard stays responsive. */
	const reading = createSerial();
	let unsubscribe = () => {};

	async function scan(range: Range): Promise<Answer> {
		const buckets = createBuckets(range);
		// If a file may not be read, or a disk fails halfway, what was read so far is used.
		await reading
			.run(() => metrics.scan(range, buckets.add))
			.catch((cause) => {
				if (errno(cause) === null) throw cause;
				log.warn('The measurements cannot be read', { cause });
			});
		return {
			from: new Date(range.from).toISOString(),
			to: new Date(range.to).toISOString(),
			stepMs: range.stepMs,
			entries: buckets.entries()
		};
	}

	/** Before anyone asks: the first graphs of a process take several times as long as later ones. */
	async function prepare() {
		await clock.sleep(PREPARE_AFTER_MS, closing.signal);
		await metrics.remember();
		for (const window of PREPARED) await analytics.read(AnalyticsQuery.parse({ window }));
	}

	const until = (now: number, ms: number) => ({ from: now - ms, to: now });

	const analytics: Analytics = {
		read(query) {
			const { from, to, points } = query;
			if (from !== undefined && to !== undefined)
				return answers.load(`${from} ${to} ${points}`, () => scan(rangeOf({ from, to }, points)));
			const window = query.window ?? WINDOW;
			return answers.load(`${window} ${points}`, () =>
				scan(rangeOf(until(clock.now().getTime(), windowMs(window)), points))
			);
		},
		events: ({ from, to }) => deps.events.between(Date.parse(from), Date.parse(to)),
		async recent(hours) {
			const ms = hours * 60 * MINUTE_MS;
			const points = Math.ceil(ms / RECENT_STEP_MS) + 1;
			return recentOf(
				await answers.load(`recent ${hours}`, () =>
					scan(rangeOf(until(clock.now().getTime(), ms), points, stepFor(ms, points)))
				)
			);
		},
		limits: deps.limits,
		now: () => nowOf(sampler.latest, clock),
		slow() {
			const { tps, mspt } = nowOf(sampler.latest, clock);
			const since = sampler.slowSince;
			if (since === null || tps === null) return null;
			return { since: new Date(since).toISOString(), tps, mspt };
		},
		latest: () => state && { state, sample: sampler.latest },
		changed() {
			observe()
				.then(seen)
				.catch((cause) => log.error('The state of the server could not be noted', { cause }));
		},
		get outage() {
			return sampler.outage;
		},
		start() {
			unsubscribe = deps.subscribe(marks.fact);
			sampler.start();
			prepare().catch((cause) => {
				if (!closing.signal.aborted)
					log.error('The graphs of the last day could not be prepared', { cause });
			});
		},
		close() {
			closing.abort();
			unsubscribe();
			sampler.close();
		}
	};
	return analytics;
}

function nowOf(latest: Sample | null, clock: Clock): MetricsNow {
	if (latest === null || clock.now().getTime() - latest.t > FRESH_MS)
		return { t: null, ramBytes: null, cpuPercent: null, players: null, tps: null, mspt: null };
	const { t, ramBytes, cpuPercent, players, tps, mspt } = latest;
	return { t: new Date(t).toISOString(), ramBytes, cpuPercent, players, tps, mspt };
}

function recentOf({ from, to, stepMs, entries }: Answer): Recent {
	const begin = Date.parse(from);
	const length = Math.ceil((Date.parse(to) - begin) / stepMs);
	const column = () => Array.from({ length }, (): number | null => null);
	const columns = { ramBytes: column(), cpuPercent: column(), players: column(), tps: column() };
	for (const entry of entries) {
		const i = (Date.parse(entry.t) - begin) / stepMs;
		columns.ramBytes[i] = entry.ramBytes;
		columns.cpuPercent[i] = entry.cpuPercent;
		columns.players[i] = entry.players;
		columns.tps[i] = entry.tps;
	}
	const mostOf = (metric: keyof typeof columns) =>
		entries.reduce<number | null>((most, { max }) => {
			const value = max[metric];
			return value === null ? most : Math.max(most ?? value, value);
		}, null);
	const most = {
		ramBytes: mostOf('ramBytes'),
		cpuPercent: mostOf('cpuPercent'),
		players: mostOf('players'),
		tps: mostOf('tps')
	};
	return { from, stepMs, ...columns, most };
}
