import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { systemClock } from '#core/clock';
import { createModsFolder } from '#minecraft/mods';
import { zip } from '../../tests/fakes/mods/jars.ts';
import { fabricJson } from '../../tests/fakes/mods/mod-jars.ts';
import { CACHE_MS } from '#services/mods';
import { median, row, sleep, type Row } from './measure.ts';
import { idle, outside } from './outside.ts';
import type { Bench } from './bench.ts';

const MODS = 200;
const MOD_BYTES = 2 << 20;
const MANY_MODS = 1_000;
const MANY_MOD_BYTES = 100 << 10;
const ROUNDS = 5;
const LONG_AGO = new Date('2024-01-01T00:00:00Z');

/** The list of a full `mods/`, as read for the first time and again, beside `sha512sum` over the same files. */
export async function benchMods(bench: Bench): Promise<Row[]> {
	const few = await listed(bench, MODS, MOD_BYTES);
	const many = await listed(bench, MANY_MODS, MANY_MOD_BYTES);
	const { sums, first, held, again } = await benchFolder();
	const base = `${Math.round(sums)} ms xargs sha512sum`;
	return [
		row('mods, 200 of 2 MB, first listing over HTTP', few.firstMs, 'ms', 1_200, base),
		row('… again', few.againMs, 'ms', 50),
		row('… another request meanwhile, longest', few.waitMs, 'ms', 50, idle(few.beforeMs)),
		row('mods, 1,000 of 100 kB, first listing over HTTP', many.firstMs, 'ms', null),
		row('… again', many.againMs, 'ms', null),
		row('… another request meanwhile, longest', many.waitMs, 'ms', 50, idle(many.beforeMs)),
		row('the folder of 200 alone, first', first, 'ms', null),
		row('… event loop held by it, longest', held, 'ms', 50),
		row('… again', again, 'ms', null)
	];
}

/** Results are reused for a while: the second time is after that. */
async function listed(bench: Bench, mods: number, bytes: number) {
	const { ask, waits, end } = await outside(bench, ({ gameDir }) => layOut(gameDir, mods, bytes));
	try {
		const { result: firstMs, ms: waitMs, beforeMs } = await waits(() => ask('/api/mods'));
		const again: number[] = [];
		for (let round = 0; round < ROUNDS; round++) {
			await sleep(CACHE_MS + 100);
			again.push(await ask('/api/mods'));
		}
		return { firstMs, againMs: median(again), waitMs, beforeMs };
	} finally {
		await end();
	}
}

async function benchFolder() {
	const root = mkdtempSync(path.join(tmpdir(), 'bench-mods-'));
	try {
		const dir = layOut(root, MODS, MOD_BYTES);
		const first: number[] = [];
		const again: number[] = [];
		const sums: number[] = [];
		const held: number[] = [];
		for (let round = 0; round < ROUNDS; round++) {
			sums.push(await timed(() => sha512sum(dir)));
			const folder = createModsFolder({
				dir,
				cacheFile: path.join(root, `cache-${round}.json`),
				clock: systemClock,
				warn: console.warn
			});
			await sleep(50); // what blocked the loop until here is not part of the scan
			const loop = monitorEventLoopDelay({ resolution: 1 });
			loop.enable();
			first.push(await timed(() => folder.scan()));
			loop.disable();
			held.push(loop.max / 1e6);
			again.push(await timed(() => folder.scan()));
			await folder.close();
		}
		return {
			sums: median(sums),
			first: median(first),
			held: median(held),
			again: median(again)
		};
	} finally {
		rmSync(root, { recursive: true });
	}
}

function layOut(root: string, mods: number, bytes: number) {
	const dir = path.join(root, 'mods');
	mkdirSync(dir, { recursive: true });
	for (let i = 0; i < mods; i++) {
		const file = path.join(dir, `mod-${i}.jar`);
		const depends = { minecraft: '>=1.21', 'fabric-api': '*' };
		writeFileSync(
			file,
			zip({ 'fabric.mod.json': fabricJson(`mod-${i}`, { depends }), data: randomBytes(bytes) })
		);
		utimesSync(file, LONG_AGO, LONG_AGO);
	}
	return dir;
}

function sha512sum(dir: string) {
	const names = Array.from({ length: MODS }, (_, i) => path.join(dir, `mod-${i}.jar`)).join('\n');
	execFileSync('xargs', ['sha512sum'], { input: names, stdio: ['pipe', 'ignore', 'inherit'] });
}

async function timed(work: () => unknown) {
	const from = performance.now();
	await work();
	return performance.now() - from;
}
