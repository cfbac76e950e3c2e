import { closeSync, mkdtempSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { AnalyticsQuery } from '#schemas/analytics';
import { systemClock } from '#core/clock';
import { createAnalytics } from '#services/analytics';
import { createMetricEvents, withRecent, type RecentMetrics } from '#storage/metrics';
import { toMetricLine } from '../../src/lib/server/storage/metrics/lines.ts';
import { createMetrics, type Scanned } from '../../src/lib/server/storage/metrics/metrics.ts';
import { median, row, sleep, type Row } from './measure.ts';
import { outside } from './outside.ts';
import type { Bench } from './bench.ts';

const FILE_BYTES = 1e9;
const STEP_MS = 15_000;
const DAY_MS = 86_400_000;
const ROUNDS = 5;
const BLOCK = 1 << 20;

/** Graphs of a day, a month and a quarter at the end of a metrics file of 1 GB, beside reading the same bytes. */
export async function benchAnalytics(bench: Bench): Promise<Row[]> {
	return [...(await asked(bench)), ...(await benchService())];
}

/** The first one of a process, and others of which no answer is kept. */
async function asked(bench: Bench): Promise<Row[]> {
	const { ask, end } = await outside(bench, ({ dataDir }) =>
		layOut(path.join(dataDir, 'metrics.jsonl'))
	);
	try {
		const day = (points: number) => ask(`/api/analytics?window=24h&points=${points}`);
		const first = await day(300);
		const again: number[] = [];
		for (let i = 1; i <= 15; i++) again.push(await day(300 + i));
		return [
			row('analytics, 24h over HTTP, first of a process', first, 'ms', 15),
			row('… later', median(again), 'ms', 15)
		];
	} finally {
		await end();
	}
}

/** Inside: the service alone, which reads the file; for a day people never wait for that (`asked`). */
async function benchService(): Promise<Row[]> {
	const dir = mkdtempSync(path.join(tmpdir(), 'bench-analytics-'));
	try {
		const file = path.join(dir, 'metrics.jsonl');
		const bytesADay = layOut(file);
		const rows: Row[] = [];
		for (const [window, days, limitMs] of [
			['24h', 1, null],
			['30d', 30, 150],
			['90d', 90, 500]
		] as const) {
			const seen = await ask(dir, file, window);
			const base = `${readEnd(file, bytesADay * days).toFixed(1)} ms to read the same bytes`;
			rows.push(row(`analytics inside, ${window} of 1 GB`, seen.ms, 'ms', limitMs, base));
			if (days === 1)
				rows.push(
					row(
						'analytics inside, 24h, read of the file',
						(seen.bytesRead / FILE_BYTES) * 100,
						'%',
						1
					)
				);
			if (days === 90)
				rows.push(row('analytics inside, 90d, event loop held, longest', seen.heldMs, 'ms', 50));
		}
		return rows;
	} finally {
		rmSync(dir, { recursive: true });
	}
}

/** Lines from years ago until now; how many bytes of them a day is. */
function layOut(file: string): number {
	const fd = openSync(file, 'w');
	const line = (t: number) =>
		`${toMetricLine({
			...{ t, ramBytes: 4_321_012_224 + (t % 1e7), cpuPercent: (t / STEP_MS) % 400 },
			...{ players: (t / STEP_MS) % 20, tps: 19.87, mspt: 12.25 }
		})}\n`;
	const now = Math.floor(Date.now() / STEP_MS) * STEP_MS;
	const length = line(now).length;
	let t = now - Math.floor(FILE_BYTES / length) * STEP_MS;
	while (t < now) {
		let block = '';
		for (; block.length < BLOCK && t < now; t += STEP_MS) block += line(t);
		writeSync(fd, block);
	}
	closeSync(fd);
	return (DAY_MS / STEP_MS) * length;
}

/** A new service for each round: nothing is remembered. */
async function ask(dir: string, file: string, window: string) {
	const times: number[] = [];
	let scanned: Scanned = { bytesRead: 0, skipped: 0 };
	await sleep(50); // what blocked the loop until here is not ours
	const loop = monitorEventLoopDelay({ resolution: 1 });
	for (let round = 0; round < ROUNDS; round++) {
		const store = withRecent(createMetrics(file), Date.now);
		const metrics: RecentMetrics = {
			...store,
			scan: async (...input) => (scanned = await store.scan(...input))
		};
		const analytics = createAnalytics({
			metrics,
			events: createMetricEvents(path.join(dir, 'metric-events.jsonl')),
			observe: async () => ({ state: 'stopped', run: null, endedAt: null }),
			usage: async () => null,
			status: async () => ({ players: { online: null, max: null, names: null } }),
			ticks: async () => null,
			limits: async () => ({ cores: 2, heap: null }),
			retentionDays: async () => 365,
			subscribe: () => () => {},
			clock: systemClock,
			log: { info() {}, warn: console.warn, error: console.error }
		});
		const query = AnalyticsQuery.parse({ window });
		loop.enable();
		const from = performance.now();
		const { entries } = await analytics.read(query);
		times.push(performance.now() - from);
		loop.disable();
		if (entries.length < 100) throw new Error(`Only ${entries.length} entries`);
		analytics.close();
	}
	return { ms: median(times), bytesRead: scanned.bytesRead, heldMs: loop.max / 1e6 };
}

function readEnd(file: string, bytes: number): number {
	const from = performance.now();
	const fd = openSync(file, 'r');
	const block = Buffer.allocUnsafe(BLOCK);
	const { size } = statSync(file);
	for (let at = Math.max(0, size - bytes); at < size; at += BLOCK)
		readSync(fd, block, 0, BLOCK, at);
	closeSync(fd);
	return performance.now() - from;
}
