import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createMetrics } from './metrics.ts';
import { toMetricLine, type Sample } from './lines.ts';
import { withRecent, type RecentMetrics } from './recent.ts';

const NOW = Date.parse('2026-11-01T12:00:00Z');
const STEP = 15_000;
const HOUR = 3_600_000;
let file: string;
let metrics: RecentMetrics;
/** What is asked of the file. */
let scans = 0;

beforeEach(async () => {
	const dir = await mkdtemp(path.join(tmpdir(), 'metrics-'));
	onTestFinished(() => rm(dir, { recursive: true }));
	file = path.join(dir, 'metrics.jsonl');
	const store = createMetrics(file);
	scans = 0;
	const counted = {
		...store,
		scan: (...input: Parameters<typeof store.scan>) => (scans++, store.scan(...input))
	};
	metrics = withRecent(counted, () => NOW);
});

const sample = (t: number, players: number | null = 3): Sample => ({
	...{ t, ramBytes: 1e9, cpuPercent: 12.5, players, tps: 19.9, mspt: null }
});
const write = (...times: number[]) =>
	appendFile(file, times.map((t) => `${toMetricLine(sample(t))}\n`).join(''));
async function rows(from: number, to = Infinity) {
	scans = 0;
	const found: number[][] = [];
	await metrics.scan({ from, to }, (row) => found.push([...row]));
	return found;
}
const times = async (from: number, to?: number) => (await rows(from, to)).map(([t]) => t);

test('the last day is read once, and what is appended afterwards is there too, newest first', async () => {
	await write(NOW - 30 * HOUR, NOW - 2 * STEP, NOW - STEP);
	await metrics.remember();
	await metrics.append(sample(NOW, null));
	expect(await rows(NOW - 24 * HOUR)).toEqual([
		[NOW, 1e9, 12.5, NaN, 19.9, NaN],
		[NOW - STEP, 1e9, 12.5, 3, 19.9, NaN],
		[NOW - 2 * STEP, 1e9, 12.5, 3, 19.9, NaN]
	]);
	expect(await times(NOW - 2 * STEP, NOW)).toEqual([NOW - STEP, NOW - 2 * STEP]);
	expect(scans).toBe(0);
});

test('an earlier window is read from the file', async () => {
	await write(NOW - 30 * HOUR, NOW - STEP);
	await metrics.remember();
	expect(await times(NOW - 48 * HOUR)).toEqual([NOW - STEP, NOW - 30 * HOUR]);
	expect(scans).toBe(1);
});

test('nothing is remembered before it is asked for, nor without a file', async () => {
	await metrics.append(sample(NOW - STEP));
	expect(await times(NOW - HOUR)).toEqual([NOW - STEP]);
	expect(scans).toBe(1);
	await rm(file);
	await metrics.remember();
	expect(await times(NOW - HOUR)).toEqual([]);
	await metrics.append(sample(NOW));
	expect(await times(NOW - HOUR)).toEqual([NOW]);
	expect(scans).toBe(0);
});

test('a file that somebody else has changed is believed, and remembered again with the next sample', async () => {
	await write(NOW - 3 * STEP);
	await metrics.remember();
	await write(NOW - 2 * STEP);
	expect(await times(NOW - HOUR)).toEqual([NOW - 2 * STEP, NOW - 3 * STEP]);
	expect(scans).toBe(1);
	await metrics.append(sample(NOW - STEP));
	expect(await times(NOW - HOUR)).toEqual([NOW - STEP, NOW - 2 * STEP, NOW - 3 * STEP]);
	expect(scans).toBe(0);
	await writeFile(file, '');
	expect(await times(NOW - HOUR)).toEqual([]);
});

test('what was dropped as too old is not remembered', async () => {
	await write(NOW - 20 * HOUR, NOW - STEP);
	await metrics.remember();
	expect(await metrics.prune(NOW - HOUR)).toBe(true);
	expect(await times(NOW - 24 * HOUR)).toEqual([NOW - STEP]);
});

test('a sample that could not be written is not remembered', async () => {
	await write(NOW - STEP);
	const store = createMetrics(file);
	const full = withRecent(
		{ ...store, append: () => Promise.reject(new Error('No space left on the device')) },
		() => NOW
	);
	await full.remember();
	await expect(full.append(sample(NOW))).rejects.toThrow('No space');
	const found: number[] = [];
	await full.scan({ from: 0, to: Infinity }, (row) => found.push(row[0]!));
	expect(found).toEqual([NOW - STEP]);
});

test('with more samples than there is room for, only windows that are there whole are answered from memory', async () => {
	const count = 9000;
	await write(...Array.from({ length: count }, (_, i) => NOW - (count - i) * 5000));
	await metrics.remember();
	for (let i = 0; i < 3; i++) await metrics.append(sample(NOW + i * 5000));
	expect(await times(NOW - HOUR)).toHaveLength(720 + 3);
	expect(scans).toBe(0);
	const whole = await times(NOW - 12.5 * HOUR);
	expect(whole).toHaveLength(count + 3);
	expect(scans).toBe(1);
	const oldestKept = NOW + 2 * 5000 - 8191 * 5000;
	expect(await times(oldestKept)).toHaveLength(8192);
	expect(scans).toBe(0);
	expect(await times(oldestKept - 5000)).toHaveLength(8193);
	expect(scans).toBe(1);
});
