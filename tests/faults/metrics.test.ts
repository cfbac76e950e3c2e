import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createMetrics } from '#storage/metrics';
import { EXPLORE_LIMIT_MS, explore, obstacle } from './explore.ts';
import { tempDir } from './temp.ts';

const why = obstacle();
const START_MS = 1_700_000_000_000;
const MINUTE_MS = 60_000;
const PROGRAM = path.resolve('tests/faults/programs/append-metrics.ts');

const sample = (n: number) => ({
	...{ t: START_MS + n * MINUTE_MS, ramBytes: n },
	...{ cpuPercent: 1.5, players: 2, tps: 20, mspt: null }
});
/** Which samples are in the file, oldest first; a second line of one would be there twice. */
async function numbersIn(file: string) {
	const found: number[] = [];
	const { skipped } = await createMetrics(file).scan(
		{ from: START_MS, to: START_MS + 1e6 * MINUTE_MS },
		(row) => {
			expect([row[1], row[2], row[5]]).toEqual([(row[0]! - START_MS) / MINUTE_MS, 1.5, NaN]);
			found.unshift(row[1]!);
		}
	);
	return { found, skipped };
}
const said = (lines: string[], word: string) =>
	lines.filter((line) => line.startsWith(word)).map((line) => Number(line.split(' ')[1]));
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

describe.skipIf(why)(
	`the metrics file${why ? ` (${why})` : ''}`,
	{ timeout: EXPLORE_LIMIT_MS },
	() => {
		test('killed or refused at any call of sampling and pruning: what was written stays, once', async () => {
			const hits = await explore({
				program: PROGRAM,
				args: (dir) => [path.join(dir, 'data', 'metrics.jsonl'), '40', '4', '30'],
				sample: 14,
				async prepare(dir) {
					const metrics = createMetrics(path.join(dir, 'data', 'metrics.jsonl'));
					for (let n = 0; n < 40; n++) await metrics.append(sample(n));
				},
				async check(dir, { fault, lines }) {
					const file = path.join(dir, 'data', 'metrics.jsonl');
					// A sample after it closes the line that was cut off.
					await createMetrics(file).append(sample(99));
					const { found, skipped } = await numbersIn(file);
					expect(skipped).toBeLessThanOrEqual(fault === 'SIGKILL' ? 1 : 4);
					// The old file or the new one, whole.
					const first = said(lines, 'pruned').length ? 30 : found[0]!;
					expect([0, 30]).toContain(first);
					const written = said(lines, 'written');
					const untold = found.filter((n) => n >= 40 && n !== 99 && !written.includes(n));
					expect(found).toEqual([...range(first, 40), ...found.filter((n) => n >= 40)]);
					expect(found).toEqual([...new Set(found)].sort((a, b) => a - b));
					expect(found).toEqual(expect.arrayContaining([...written, 99]));
					// At the moment of a kill one more may have got through without being reported.
					expect(untold.length).toBeLessThanOrEqual(fault === 'SIGKILL' ? 1 : 0);
				}
			});
			expect(hits).toBeGreaterThan(7);
		});
	}
);

test('a sampler that is killed again and again leaves every line that it had written', async () => {
	const rounds = process.env.FAULTS === 'all' ? 1_000 : 3;
	const file = path.join(await tempDir(), 'metrics.jsonl');
	const known: number[] = [];
	let next = 0;
	for (let round = 0; round < rounds; round++) {
		const child = spawn(process.execPath, [PROGRAM, file, `${next}`, '100000', '0'], {
			stdio: ['ignore', 'pipe', 'inherit']
		});
		let text = '';
		// At some line of its own, which is no moment that a clock could choose.
		const enough = 1 + ((round * 7) % 20);
		for await (const chunk of child.stdout) {
			text += String(chunk);
			if (text.split('\n').length > enough) child.kill('SIGKILL');
		}
		if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
		const written = said(text.slice(0, text.lastIndexOf('\n')).split('\n'), 'written');
		known.push(...written);
		// One more may be in the file without being reported: the next begins after it.
		next = written.at(-1)! + 2;
	}
	const { found, skipped } = await numbersIn(file);
	expect(found).toEqual(expect.arrayContaining(known));
	expect(found.length - known.length).toBeLessThanOrEqual(rounds);
	expect(skipped).toBeLessThanOrEqual(rounds);
	expect((await readFile(file, 'utf8')).split('\n').length).toBeLessThanOrEqual(
		known.length + 2 * rounds + 1
	);
});
