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
import { median, row, sleep, type Row } from './measure.ts';

const MODS = 200;
const MOD_BYTES = 2 << 20;
const ROUNDS = 5;
const LONG_AGO = new Date('2024-01-01T00:00:00Z');

/** The list of a full `mods/`, as read for the first time and again, beside `sha512sum` over the same files. */
export async function benchMods(): Promise<Row[]> {
	const root = mkdtempSync(path.join(tmpdir(), 'bench-mods-'));
	try {
		const dir = layOut(root);
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
			await sleep(50); // what held the loop until here is none of the scan's
			const loop = monitorEventLoopDelay({ resolution: 1 });
			loop.enable();
			first.push(await timed(() => folder.scan()));
			loop.disable();
			held.push(loop.max / 1e6);
			again.push(await timed(() => folder.scan()));
			await folder.close();
		}
		const base = `${Math.round(median(sums))} ms xargs sha512sum`;
		return [
			row('mods, 200 of 2 MB, first listing', median(first), 'ms', 1_200, base),
			row('mods, event loop held by it, longest', median(held), 'ms', 50),
			row('mods, again', median(again), 'ms', 50)
		];
	} finally {
		rmSync(root, { recursive: true });
	}
}

function layOut(root: string) {
	const dir = path.join(root, 'mods');
	mkdirSync(dir);
	for (let i = 0; i < MODS; i++) {
		const file = path.join(dir, `mod-${i}.jar`);
		const depends = { minecraft: '>=1.21', 'fabric-api': '*' };
		writeFileSync(
			file,
			zip({ 'fabric.mod.json': fabricJson(`mod-${i}`, { depends }), data: randomBytes(MOD_BYTES) })
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
