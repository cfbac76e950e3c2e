import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createMetricEvents, type MetricEvents } from './events.ts';

let file: string;
let events: MetricEvents;
beforeEach(async () => {
	const dir = await mkdtemp(path.join(tmpdir(), 'metric-events-'));
	file = path.join(dir, 'metric-events.jsonl');
	events = createMetricEvents(file);
	onTestFinished(() => rm(dir, { recursive: true }));
});

const T0 = Date.parse('2026-11-01T00:00:00Z');
const at = (n: number, label = `Started ${n}`) =>
	({ t: new Date(T0 + n * 1000).toISOString(), kind: 'start', label }) as const;
const all = () => events.between(0, Infinity);

test('events are listed from begin to end, the end excluded, in order of time', async () => {
	expect(await all()).toEqual([]);
	for (const n of [3, 1, 2]) await events.append(at(n));
	expect(await all()).toEqual([at(1), at(2), at(3)]);
	expect(await events.between(T0 + 1000, T0 + 3000)).toEqual([at(1), at(2)]);
});

test('an end that is announced twice is recorded once', async () => {
	await Promise.all([1, 2, 3].map(() => events.append({ ...at(1), id: 'one' })));
	await events.append({ ...at(2), id: 'two' });
	expect(await all()).toEqual([at(1), at(2)]);
	expect(await readFile(file, 'utf8')).not.toContain('"id"');
});

test('torn lines and garbage cost only themselves, and what another process wrote is seen', async () => {
	await writeFile(file, `${JSON.stringify(at(1))}\n\0\0\nnull\n{"t":"x"}\n{"t":"2026-11-0`);
	expect(await all()).toEqual([at(1)]);
	await events.append(at(2));
	expect(await all()).toEqual([at(1), at(2)]);
	await appendFile(file, `${JSON.stringify(at(3))}\n`);
	expect(await all()).toEqual([at(1), at(2), at(3)]);
});

test('it never grows beyond a megabyte, and the newer half stays', async () => {
	const label = 'x'.repeat(100);
	const lines = Array.from({ length: 9_000 }, (_, n) => `${JSON.stringify(at(n, label))}\n`);
	await writeFile(file, lines.join(''));
	await events.append(at(9_000));
	expect((await stat(file)).size).toBeLessThan(800_000);
	const kept = await all();
	expect(kept.length).toBeGreaterThan(4_000);
	expect(kept.at(-1)).toEqual(at(9_000));
	expect(kept[0]!.t > at(4_000).t).toBe(true);
});
