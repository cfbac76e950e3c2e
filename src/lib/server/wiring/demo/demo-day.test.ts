import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MetricEvent } from '#schemas/analytics';
import { createMetricEvents, createMetrics } from '#storage/metrics';
import { madeUpUntil, writeDemoDay } from './demo-day.ts';

const NOW = new Date('2026-11-22T19:00:00.000Z');
const DAY_MS = 86_400_000;

test('a day of measurements that can be read as ours, written once', async () => {
	const dir = await mkdtemp(path.join(tmpdir(), 'demo-day-'));
	onTestFinished(() => rm(dir, { recursive: true }));
	expect(await madeUpUntil(dir)).toBeNull();
	await writeDemoDay(dir, NOW);
	expect(await madeUpUntil(dir)).toBe(NOW.toISOString());
	const file = path.join(dir, 'metrics.jsonl');
	const window = { from: NOW.getTime() - DAY_MS, to: NOW.getTime() };
	const rows: number[][] = [];
	const { skipped } = await createMetrics(file).scan(window, (row) => rows.push([...row]));
	expect(skipped).toBe(0);
	expect(rows.length).toBeGreaterThan(5700);
	expect(rows.flat().every(Number.isFinite)).toBe(true);
	const players = rows.map((row) => row[3]!);
	expect([Math.min(...players), Math.max(...players)]).toEqual([0, 6]);
	expect(Math.max(...rows.map((row) => row[4]!))).toBeLessThanOrEqual(20);
	const marks = await createMetricEvents(path.join(dir, 'metric-events.jsonl')).between(
		window.from,
		window.to
	);
	expect(marks.map((mark) => MetricEvent.parse(mark).kind)).toEqual(['start', 'restart']);

	const before = await readFile(file, 'utf8');
	await writeDemoDay(dir, new Date(NOW.getTime() + DAY_MS));
	expect(await readFile(file, 'utf8')).toBe(before);
	expect(await madeUpUntil(dir)).toBe(NOW.toISOString());
});
