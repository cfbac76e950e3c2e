import { appendFile, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createMetrics, type Metrics } from './metrics.ts';
import { toMetricLine, type Sample } from './lines.ts';

const T0 = Date.parse('2026-11-01T00:00:00Z');
const STEP = 15_000;
let file: string;
let metrics: Metrics;

beforeEach(async () => {
	const dir = await mkdtemp(path.join(tmpdir(), 'metrics-'));
	file = path.join(dir, 'metrics.jsonl');
	metrics = createMetrics(file);
	onTestFinished(() => rm(dir, { recursive: true }));
});

const sample = (n: number, t = T0 + n * STEP): Sample => ({
	t,
	ramBytes: 1e9 + n,
	cpuPercent: 12.5,
	players: n % 20,
	tps: 19.9,
	mspt: null
});
const lines = (count: number, from = 0) =>
	Array.from({ length: count }, (_, i) => `${toMetricLine(sample(from + i))}\n`).join('');

async function times(from: number, to: number) {
	const found: number[] = [];
	const scanned = await metrics.scan({ from, to }, (row) => found.push(row[0]!));
	return { found: found.toSorted((a, b) => a - b), ...scanned };
}
const all = () => times(0, Number.MAX_SAFE_INTEGER);

test('what was appended is read back, newest first', async () => {
	for (const n of [0, 1, 2]) await metrics.append(sample(n));
	const rows: number[][] = [];
	await metrics.scan({ from: 0, to: Infinity }, (row) => rows.push([...row]));
	expect(rows.map(([t]) => t)).toEqual([T0 + 2 * STEP, T0 + STEP, T0]);
	expect(rows[0]).toEqual([T0 + 2 * STEP, 1e9 + 2, 12.5, 2, 19.9, NaN]);
});

test('no file, an empty file and a blank file have no samples', async () => {
	expect((await all()).found).toEqual([]);
	for (const text of ['', '\n', '\0\0\0', 'x'.repeat(100_000)]) {
		await writeFile(file, text);
		expect((await all()).found).toEqual([]);
	}
});

test('a window is half open, wherever it is in a long file, and little is read', async () => {
	await writeFile(file, lines(200_000));
	const { length: size } = await readFile(file);
	for (const first of [0, 1, 70_000, 150_001, 199_000]) {
		const { found, bytesRead } = await times(T0 + first * STEP, T0 + (first + 500) * STEP);
		expect(found).toEqual(Array.from({ length: 500 }, (_, i) => T0 + (first + i) * STEP));
		expect(bytesRead).toBeLessThan(size / 3);
	}
	const { found, bytesRead } = await times(T0 + 199_900 * STEP, Infinity);
	expect(found).toHaveLength(100);
	expect(bytesRead).toBeLessThan(500_000);
});

test('a last line that is being written is left out until it is complete', async () => {
	const text = lines(3);
	await writeFile(file, text.slice(0, -10));
	expect((await all()).found).toHaveLength(2);
	await appendFile(file, text.slice(-10));
	expect((await all()).found).toHaveLength(3);
});

test('a torn line is closed by the next sample, and only it is lost', async () => {
	await writeFile(file, lines(3).slice(0, -10));
	await metrics.append(sample(9));
	expect((await all()).found).toEqual([T0, T0 + STEP, T0 + 9 * STEP]);
});

test('garbage is skipped and counted', async () => {
	const bad = [
		'not json',
		'{"t":"x"}',
		'{"t":-5,"ram":1}',
		'{}',
		'null',
		'[1]',
		'\0'.repeat(5000),
		'<html>',
		'\xff\xfe',
		'{"t":1e999}',
		`{"t":${T0},"ram":`
	];
	await writeFile(file, `${lines(2)}${bad.join('\n')}\n${lines(2, 2)}`, 'latin1');
	const { found, skipped } = await all();
	expect(found).toHaveLength(4);
	expect(skipped).toBe(bad.length);
});

test('a line of many megabytes neither fails nor hides its neighbours', async () => {
	await writeFile(file, `${lines(5)}${'x'.repeat(5 << 20)}\n${lines(5, 5)}`);
	expect((await all()).found).toHaveLength(10);
});

test('times as text, in seconds and out of range are corrected or left out', async () => {
	const text = [
		`{"t":"${new Date(T0).toISOString()}","ram":1}`,
		`{"t":${T0 / 1000},"players":3}`,
		'{"t":12,"ram":1}',
		'{"t":99999999999999,"ram":1}'
	].join('\n');
	await writeFile(file, `${text}\n`);
	expect((await all()).found).toEqual([T0, T0]);
});

test('invalid values are unknown, and do not affect the others', async () => {
	await writeFile(
		file,
		`{"t":${T0},"ram":null,"cpu":-1,"players":"4","tps":1e999,"mspt":{"a":1}}\n{"t":${T0 + 1},"mspt":5}\n`
	);
	const rows: number[][] = [];
	await metrics.scan({ from: 0, to: Infinity }, (row) => rows.push([...row].slice(1)));
	expect(rows).toEqual([
		[NaN, NaN, NaN, NaN, 5],
		[NaN, NaN, NaN, NaN, NaN]
	]);
});

test('a clock that went back an hour, or a year ahead and back, loses nothing', async () => {
	const ahead = Array.from({ length: 50 }, (_, i) =>
		toMetricLine(sample(0, T0 + 365 * 86_400_000 + i * STEP))
	).join('\n');
	await writeFile(file, `${lines(5000)}${lines(300, 4800)}${ahead}\n${lines(100, 5100)}`);
	const { found } = await times(T0 + 4700 * STEP, T0 + 6000 * STEP);
	expect(found).toHaveLength(300 + 300 + 100);
});

test('a file that is truncated while it is read returns what was read', async () => {
	await writeFile(file, lines(100_000));
	let cut: Promise<void> | null = null;
	let count = 0;
	await metrics.scan({ from: 0, to: Infinity }, () => {
		count++;
		cut ??= truncate(file, 0);
	});
	await cut;
	expect(count).toBeGreaterThan(0);
});

test('pruning drops what is old and keeps the rest byte for byte', async () => {
	await writeFile(file, lines(10_000));
	expect(await metrics.prune(T0 + 500 * STEP)).toBe(false);
	expect(await metrics.prune(T0 + 4000 * STEP)).toBe(true);
	expect(await readFile(file, 'utf8')).toBe(lines(6000, 4000));
	await metrics.append(sample(10_000));
	expect((await all()).found).toHaveLength(6001);
});
