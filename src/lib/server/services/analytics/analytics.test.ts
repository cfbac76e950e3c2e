import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createManualClock } from '../../../../../tests/fakes/manual-clock.ts';
import { AnalyticsQuery } from '#schemas/analytics';
import type { OperationSummary } from '#schemas/operation';
import { createBus } from '#core/bus';
import type { AppEvent } from '#events';
import type { TickReport } from '#minecraft/commands';
import { createMetricEvents, createMetrics, type RecentMetrics } from '#storage/metrics';
import { toMetricLine, type Sample } from '../../storage/metrics/lines.ts';
import { createAnalytics } from './index.ts';
import type { Seen } from './sampler.ts';

const RUN = { id: 'one', startedAt: '2026-01-02T01:00:00.000Z' };
const RUNNING: Seen = { state: 'running', run: RUN, endedAt: null };
const STOPPED: Seen = { state: 'stopped', run: null, endedAt: null };
const T0 = Date.parse('2026-01-02T03:04:05.000Z');
const never = () => new Promise<never>(() => {});

async function setup(over: Partial<RecentMetrics> = {}) {
	const dir = await mkdtemp(path.join(tmpdir(), 'analytics-'));
	onTestFinished(() => rm(dir, { recursive: true, force: true }));
	const file = path.join(dir, 'metrics.jsonl');
	const clock = createManualClock();
	const bus = createBus<AppEvent>();
	const logged: string[] = [];
	const note = (message: string) => void logged.push(message);
	const world = {
		seen: RUNNING,
		players: async () => ({ players: { online: 3, max: 20, names: null } }),
		ticks: async (): Promise<TickReport | null> => ({ tps: 19.5, mspt: 8 })
	};
	const counts = { scans: 0, ticks: 0 };
	const store = createMetrics(file);
	const kept: Sample[] = [];
	const metrics: RecentMetrics = {
		...store,
		remember: async () => {},
		append: async (sample) => void kept.push(sample),
		scan: (...input) => (counts.scans++, store.scan(...input)),
		...over
	};
	const analytics = createAnalytics({
		metrics,
		events: createMetricEvents(path.join(dir, 'metric-events.jsonl')),
		observe: async () => world.seen,
		usage: async () => ({ cpu: 50, cpuSeconds: 8.5, memory: 2e9, limit: null, at: '' }),
		status: () => world.players(),
		ticks: () => (counts.ticks++, world.ticks()),
		limits: async () => ({ cores: 2, heap: null }),
		retentionDays: async () => 30,
		subscribe: bus.subscribe,
		clock,
		log: { info: note, warn: note, error: note }
	});
	onTestFinished(() => analytics.close());
	const ask = (query: Record<string, string>) => analytics.read(AnalyticsQuery.parse(query));
	const write = (samples: Partial<Sample>[]) =>
		appendFile(file, samples.map((one) => `${toMetricLine({ ...EMPTY, ...one })}\n`).join(''));
	return { dir, file, analytics, clock, bus, world, counts, kept, ask, write, logged };
}
const EMPTY: Sample = {
	t: 0,
	ramBytes: null,
	cpuPercent: null,
	players: null,
	tps: null,
	mspt: null
};
/** Waits until pending disk work has finished. */
const disk = () => new Promise((done) => setTimeout(done, 20));

test('every 15 s while the process lives, and never while there is none', async () => {
	const { analytics, world, kept, clock } = await setup();
	analytics.start();
	await clock.advance(2_000 + 15_000 * 2);
	expect(kept.map(({ t }) => t - T0)).toEqual([2_000, 17_000, 32_000]);
	expect(kept[0]).toEqual({
		...{ t: T0 + 2_000, ramBytes: 2e9, cpuPercent: 50 },
		...{ players: 3, tps: 19.5, mspt: 8 }
	});
	world.seen = STOPPED;
	await clock.advance(60_000);
	expect(kept).toHaveLength(3);
});

test('it is slow from the first slow measurement until one that is not, and an answer that is missing changes nothing', async () => {
	const { analytics, world, clock } = await setup();
	const measured = async (ticks: TickReport | null) => {
		world.ticks = async () => ticks;
		await clock.advance(15_000);
		return analytics.slow();
	};
	analytics.start();
	await clock.advance(2_000);
	expect(analytics.slow()).toBeNull();
	const since = new Date(T0 + 17_000).toISOString();
	expect(await measured({ tps: 15.7, mspt: 62 })).toEqual({ since, tps: 15.7, mspt: 62 });
	expect(await measured({ tps: 12, mspt: 80 })).toEqual({ since, tps: 12, mspt: 80 });
	expect(await measured(null)).toBeNull();
	expect(await measured({ tps: 17.9, mspt: 55 })).toMatchObject({ since });
	expect(await measured({ tps: 19, mspt: 50 })).toBeNull();
	expect(await measured({ tps: 15, mspt: 60 })).toMatchObject({
		since: new Date(T0 + 92_000).toISOString()
	});
	// Restarted between two measurements: the new run has not been slow before.
	world.seen = { ...RUNNING, run: { ...RUN, id: 'two' } };
	expect(await measured({ tps: 15, mspt: 60 })).toMatchObject({
		since: new Date(T0 + 107_000).toISOString()
	});
	world.seen = STOPPED;
	expect(await measured({ tps: 15, mspt: 60 })).toBeNull();
});

test('now is the newest sample, not the mean of a step, and nothing while there is no process or measuring fails', async () => {
	const { analytics, world, clock } = await setup();
	const unknown = {
		t: null,
		ramBytes: null,
		cpuPercent: null,
		players: null,
		tps: null,
		mspt: null
	};
	expect(analytics.now()).toEqual(unknown);
	analytics.start();
	await clock.advance(2_000);
	world.players = async () => ({ players: { online: 7, max: 20, names: null } });
	await clock.advance(15_000);
	expect(analytics.now()).toEqual({
		...{ t: new Date(T0 + 17_000).toISOString(), ramBytes: 2e9, cpuPercent: 50 },
		...{ players: 7, tps: 19.5, mspt: 8 }
	});
	world.seen = STOPPED;
	await clock.advance(15_000);
	expect(analytics.now()).toEqual(unknown);
	world.seen = RUNNING;
	await clock.advance(15_000);
	expect(analytics.now().players).toBe(7);
	analytics.close();
	await clock.advance(61_000);
	expect(analytics.now()).toEqual(unknown);
});

test('a hanging console costs players and ticks, not RAM and CPU; it is not asked twice, and missing values are not made up', async () => {
	const { analytics, world, counts, kept, clock } = await setup();
	let answer: (report: TickReport | null) => void = () => {};
	world.ticks = () => new Promise((resolve) => (answer = resolve));
	world.players = never;
	analytics.start();
	await clock.advance(62_000 + 10_000);
	const stalled = [...kept];
	expect(stalled).toHaveLength(5);
	expect(
		stalled.every(
			({ ramBytes, tps, players }) => ramBytes === 2e9 && tps === null && players === null
		)
	).toBe(true);
	expect(counts.ticks).toBe(1);

	answer({ tps: 1, mspt: 1 });
	world.ticks = async () => ({ tps: 20, mspt: 2 });
	await clock.advance(15_000);
	const after = kept.slice(stalled.length);
	expect(after).toHaveLength(1);
	expect(after[0]).toMatchObject({ tps: 20, players: null });
});

test('ticks are requested only from a running server', async () => {
	const { analytics, world, counts, kept, clock } = await setup();
	world.seen = { ...RUNNING, state: 'starting' };
	analytics.start();
	await clock.advance(3_000);
	expect(counts.ticks).toBe(0);
	expect(kept).toMatchObject([{ ramBytes: 2e9, tps: null }]);
});

test('a delayed sampler continues in its rhythm, without a burst', async () => {
	const { analytics, world, clock, kept } = await setup();
	let release = () => {};
	const held = new Promise<void>((resolve) => (release = resolve));
	world.players = async () => (await held, { players: { online: 1, max: 1, names: null } });
	analytics.start();
	await clock.advance(2_000);
	await clock.advance(60_000);
	release();
	await clock.advance(15_000);
	const times = kept.map(({ t }) => t - T0);
	expect(times.length).toBeGreaterThan(2);
	for (const [i, t] of times.entries())
		if (i > 0) expect(t - times[i - 1]!).toBeGreaterThanOrEqual(15_000);
});

test('a disk that refuses writes costs samples, is reported once, and recovers', async () => {
	let broken = true;
	let count = 0;
	const { analytics, clock, logged } = await setup({
		append: async () => {
			if (broken) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
			count++;
		}
	});
	analytics.start();
	await clock.advance(2_000 + 45_000);
	expect(logged).toEqual(['Measurements cannot be written and are lost']);
	broken = false;
	await clock.advance(30_000);
	expect(count).toBe(2);
	expect(logged).toEqual([
		'Measurements cannot be written and are lost',
		'Measurements are written again'
	]);
});

test('samples are grouped into round UTC intervals, with mean, least and most; unknown stays unknown', async () => {
	const { ask, write } = await setup();
	const hour = Date.parse('2026-01-02T02:00:00Z');
	await write([
		{ t: hour + 10_000, cpuPercent: 10, players: 1, tps: 20 },
		{ t: hour + 25_000, cpuPercent: 30, players: 2, tps: null },
		{ t: hour + 40_000, cpuPercent: 20.04, ramBytes: 1.5e9 },
		{ t: hour + 3 * 60_000, cpuPercent: 7 }
	]);
	const answer = await ask({
		from: '2026-01-02T02:00:20Z',
		to: '2026-01-02T03:00:00Z',
		points: '61'
	});
	expect(answer).toMatchObject({
		from: '2026-01-02T02:00:00.000Z',
		to: '2026-01-02T03:00:00.000Z',
		stepMs: 60_000
	});
	expect(answer.entries).toEqual([
		{
			t: '2026-01-02T02:00:00.000Z',
			...{ ramBytes: 1.5e9, cpuPercent: 20, players: 1.5, tps: 20, mspt: null },
			min: { ramBytes: 1.5e9, cpuPercent: 10, players: 1, tps: 20, mspt: null },
			max: { ramBytes: 1.5e9, cpuPercent: 30, players: 2, tps: 20, mspt: null }
		},
		expect.objectContaining({ t: '2026-01-02T02:03:00.000Z', cpuPercent: 7, tps: null })
	]);
});

test('the graphs of the last day are prepared soon after the start, once, and not when it has been closed by then', async () => {
	let remembered = 0;
	const remember = async () => void remembered++;
	const { analytics, counts, clock } = await setup({ remember });
	analytics.start();
	await clock.advance(2_400);
	expect([remembered, counts.scans]).toEqual([0, 0]);
	await clock.advance(100);
	await disk();
	expect([remembered, counts.scans]).toEqual([1, 3]);
	await clock.advance(60_000);
	await disk();
	expect([remembered, counts.scans]).toEqual([1, 3]);

	const closed = await setup({ remember });
	closed.analytics.start();
	closed.analytics.close();
	await closed.clock.advance(5_000);
	await disk();
	expect([remembered, closed.counts.scans]).toEqual([1, 0]);
	expect(closed.logged).toEqual([]);
});

test('never more than the requested points, whatever the range', async () => {
	const { ask, write } = await setup();
	await write(
		Array.from({ length: 6_000 }, (_, i) => ({ t: T0 - i * 977_777, players: 1 })).reverse()
	);
	const ranges: Record<string, string>[] = [
		{ window: '15m' },
		{ window: '1h' },
		{ window: '90d' },
		{ from: '2025-12-31T23:59:59.999Z', to: '2026-01-02T00:00:00.001Z' },
		{ from: '1900-01-01T00:00:00Z', to: '2026-01-02T03:00:00Z' },
		{ from: '2026-01-02T02:59:59Z', to: '2026-01-02T03:00:00Z' }
	];
	for (const range of ranges)
		for (const points of [1, 2, 7, 300, 1000]) {
			const { entries, stepMs, from, to } = await ask({ ...range, points: String(points) });
			expect(entries.length).toBeLessThanOrEqual(points);
			expect(Date.parse(from) % stepMs).toBe(0);
			for (const { t } of entries) expect(t >= from && t < to).toBe(true);
		}
});

test('a hundred years are cut to the last 400 days', async () => {
	const { ask } = await setup();
	const { from, stepMs } = await ask({
		from: '1926-01-01T00:00:00Z',
		to: '2026-01-01T00:00:00Z',
		points: '1000'
	});
	expect(from).toBe('2024-11-27T00:00:00.000Z');
	expect(stepMs).toBe(12 * 3_600_000);
});

test.each([
	{ window: '100y' },
	{ window: '91d' },
	{ window: '0h' },
	{ window: '14m' },
	{ points: '1001' },
	{ points: '0' },
	{ points: 'NaN' },
	{ from: '2026-01-02T00:00:00Z' },
	{ from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' },
	{ from: '-1', to: 'NaN' },
	{ window: '1h', from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }
])('%o is not a valid query', (query) => {
	expect(AnalyticsQuery.safeParse(query).success).toBe(false);
});

test('identical queries within 30 s share one reading of the file', async () => {
	const { ask, clock, counts } = await setup();
	const answers = await Promise.all(Array.from({ length: 50 }, () => ask({ window: '90d' })));
	expect(new Set(answers).size).toBe(1);
	await clock.advance(29_999);
	await ask({ window: '90d' });
	expect(counts.scans).toBe(1);
	await ask({ window: '7d' });
	await clock.advance(1);
	await ask({ window: '90d' });
	expect(counts.scans).toBe(3);
});

test('a failed reading is not returned to anybody later', async () => {
	let broken = true;
	const { ask } = await setup({
		scan: async () => {
			if (broken) throw new Error('EIO');
			return { bytesRead: 0, skipped: 0 };
		}
	});
	await expect(ask({})).rejects.toThrow('EIO');
	broken = false;
	expect((await ask({})).entries).toEqual([]);
});

test('a disk that fails during a reading leaves what was read', async () => {
	const { ask, logged } = await setup({
		async scan(_, visit) {
			visit(Float64Array.of(T0 - 60_000, 1e9, 5, 2, 20, NaN));
			throw Object.assign(new Error('EIO'), { code: 'EIO', errno: -5, syscall: 'read' });
		}
	});
	expect((await ask({})).entries).toMatchObject([{ ramBytes: 1e9, tps: 20, mspt: null }]);
	expect(logged).toEqual(['The measurements cannot be read']);
});

test('the last hours are complete columns with null where nothing was measured', async () => {
	const { analytics, write } = await setup();
	await write([
		{ t: T0 - 3_600_000, ramBytes: 1e9, tps: 20 },
		{ t: T0 - 60_000, players: 4 },
		{ t: T0 - 45_000, players: 6 }
	]);
	const recent = await analytics.recent(6);
	expect(recent.stepMs).toBe(300_000);
	expect(recent.ramBytes).toHaveLength(73);
	expect(recent.ramBytes.filter((value) => value !== null)).toEqual([1e9]);
	expect(recent.players.at(-1)).toBe(5);
	expect(recent.tps.at(-1)).toBe(null);
	expect(recent.most).toEqual({ ramBytes: 1e9, cpuPercent: null, players: 6, tps: 20 });
});

const ENDED: OperationSummary = {
	id: '20260102T030405123Z-1a2b',
	kind: 'update',
	subject: 'Lithium',
	by: 'ada',
	state: 'succeeded',
	startedAt: '2026-01-02T03:00:00.000Z',
	finishedAt: '2026-01-02T03:01:00.000Z',
	cause: null,
	step: null,
	cancellable: false,
	leavesServer: false,
	countsDown: false
};
const WHOLE_DAY = { from: '2026-01-02T00:00:00.000Z', to: '2026-01-03T00:00:00.000Z' };

test('finished operations are marks, once each; those that did nothing to the server are not', async () => {
	const { analytics, bus } = await setup();
	analytics.start();
	const ended = (facts: Partial<OperationSummary>) =>
		bus.publish({ type: 'operation', summary: { ...ENDED, ...facts } });
	ended({});
	ended({});
	ended({ id: 'b', state: 'rolled-back' });
	ended({ id: 'c', state: 'running' });
	ended({ id: 'd', state: 'cancelled' });
	ended({ id: 'e', kind: 'modpack', subject: null });
	ended({ id: 'f', kind: 'backup', subject: null, state: 'failed' });
	await expect
		.poll(async () =>
			(await analytics.events(WHOLE_DAY)).map(({ kind, label }) => `${kind}: ${label}`)
		)
		.toHaveLength(3);
	expect(
		(await analytics.events(WHOLE_DAY)).map(({ kind, label }) => `${kind}: ${label}`).toSorted()
	).toEqual([
		'backup: Failed: backup',
		'mods: Updated Lithium',
		'rollback: Rolled back: update Lithium'
	]);
});

/** Another one, which knows no more than the marks in this folder. */
const nextDashboard = (dir: string, observe: () => Promise<Seen>) =>
	createAnalytics({
		...({} as Parameters<typeof createAnalytics>[0]),
		events: createMetricEvents(path.join(dir, 'metric-events.jsonl')),
		observe,
		clock: createManualClock(),
		log: { info() {}, warn() {}, error() {} }
	});

test('a crash is marked with its own time, once, even by the next dashboard', async () => {
	const { analytics, world, dir } = await setup();
	const endedAt = '2026-01-02T02:00:00.000Z';
	world.seen = { state: 'crashed', run: null, endedAt };
	analytics.changed();
	analytics.changed();
	await expect
		.poll(() => analytics.events(WHOLE_DAY))
		.toEqual([{ t: endedAt, kind: 'crash', label: 'Crashed' }]);

	const before = await readFile(path.join(dir, 'metric-events.jsonl'), 'utf8');
	const next = nextDashboard(dir, async () => world.seen);
	next.changed();
	await disk();
	expect(await readFile(path.join(dir, 'metric-events.jsonl'), 'utf8')).toBe(before);
});

test('a hang is marked from when it began, once, even by the next dashboard, and so is its end', async () => {
	const { analytics, world, dir } = await setup();
	const marks = () => analytics.events(WHOLE_DAY);
	const labels = async () => (await marks()).map(({ kind, label }) => `${kind}: ${label}`);
	const silentSince = '2026-01-02T03:00:00.000Z';
	// A pause is none.
	world.seen = { ...RUNNING, silentSince };
	analytics.changed();
	await disk();
	expect(await marks()).toEqual([]);
	world.seen = { ...RUNNING, state: 'unknown', silentSince, hanging: true };
	analytics.changed();
	const hang = { t: silentSince, kind: 'hang', label: 'Stopped responding' };
	await expect.poll(marks).toEqual([hang]);
	// As it is told anew, it may be by some milliseconds another time.
	world.seen = { ...world.seen, silentSince: '2026-01-02T03:00:00.007Z' };
	analytics.changed();
	await disk();
	expect(await marks()).toEqual([hang]);

	const next = nextDashboard(dir, async () => world.seen);
	// It counts from when it began to look.
	world.seen = { ...world.seen, silentSince: '2026-01-02T03:04:00.000Z' };
	next.changed();
	await disk();
	expect(await marks()).toEqual([hang]);
	world.seen = RUNNING;
	next.changed();
	await expect.poll(labels).toEqual(['hang: Stopped responding', 'answers: Responded again']);
	next.changed();
	await disk();
	expect(await marks()).toHaveLength(2);
});

test('a kill is marked when its process had ended, and a restart says that it was one', async () => {
	const { analytics, world, bus } = await setup();
	const endedAt = '2026-01-02T02:00:00.000Z';
	analytics.start();
	world.seen = { ...STOPPED, endedAt };
	analytics.changed();
	await disk();
	expect(await analytics.events(WHOLE_DAY)).toEqual([]);
	world.seen = { ...STOPPED, endedAt, killedBy: 'ada' };
	analytics.changed();
	analytics.changed();
	await expect
		.poll(() => analytics.events(WHOLE_DAY))
		.toEqual([{ t: endedAt, kind: 'stop', label: 'Killed' }]);
	const summary = { ...ENDED, kind: 'restart', subject: null, killedBy: 'ada' } as const;
	bus.publish({ type: 'operation', summary });
	await expect
		.poll(async () => (await analytics.events(WHOLE_DAY)).map(({ label }) => label))
		.toEqual(['Killed', 'Killed and started again']);
	// It did not come up again.
	bus.publish({ type: 'operation', summary: { ...summary, id: 'b', state: 'failed' } });
	await expect
		.poll(async () => (await analytics.events(WHOLE_DAY)).map(({ label }) => label))
		.toContain('Failed: restart');
});

test('data older than the setting is removed, an hour after the start and not before', async () => {
	const { analytics, write, file, clock } = await setup();
	const day = 86_400_000;
	await write(Array.from({ length: 100 }, (_, i) => ({ t: T0 - (100 - i) * day, players: 1 })));
	analytics.start();
	await clock.advance(5_000);
	expect((await readFile(file, 'utf8')).split('\n').length).toBeGreaterThan(100);
	await clock.advance(3_600_000);
	await expect
		.poll(async () => (await readFile(file, 'utf8')).includes(`{"t":${T0 - 40 * day},`))
		.toBe(false);
	expect(await readFile(file, 'utf8')).toContain(`{"t":${T0 - 20 * day},`);
});
