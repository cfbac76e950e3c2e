import { randomBytes } from 'node:crypto';
import {
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	utimesSync,
	writeFileSync
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { systemClock } from '#core/clock';
import { createStatsFolder } from '#minecraft/stats';
import { CACHE_MS, createSightings, createStats } from '#services/stats';
import { median, residentMb, row, sleep, type Row } from './measure.ts';
import { idle, outside } from './outside.ts';
import type { Bench } from './bench.ts';

const PLAYERS = 10_000;
const FILE_BYTES = 23_000;
const ROUNDS = 3;
const LONG_AGO = new Date('2024-01-01T00:00:00Z');
const TYPES = ['mined', 'used', 'crafted', 'picked_up', 'dropped'];

/** The records of ten thousand players, for the first time and again, beside reading and parsing the same files. */
export async function benchStats(bench: Bench): Promise<Row[]> {
	const got = await asked(bench);
	const inside = await benchFolder();
	const base = `${Math.round(inside.parseMs)} ms readFileSync and JSON.parse`;
	return [
		row('statistics of 10,000 players of 23 kB, first over HTTP', got.firstMs, 'ms', 1_000, base),
		row('… another request meanwhile, longest', got.waitMs, 'ms', 50, idle(got.beforeMs)),
		row('… memory, first of a process', got.grownMb, 'MB', 120),
		row('… unchanged again over HTTP', got.againMs, 'ms', 60),
		row('the service alone, first', inside.first, 'ms', null),
		row('… event loop held by it, longest', inside.held, 'ms', 50),
		row('… memory, first of a process', inside.grown, 'MB', null),
		row('… unchanged again', inside.again, 'ms', null)
	];
}

/** Results are reused for a minute: the second time is after that. */
async function asked(bench: Bench) {
	const { ask, waits, mb, end } = await outside(bench, ({ gameDir }) =>
		layOut(path.join(gameDir, 'world'))
	);
	try {
		const before = mb();
		const { result, ms: waitMs, beforeMs } = await waits(() => ask('/api/players/stats'));
		const grownMb = mb() - before;
		const again: number[] = [];
		for (let round = 0; round < ROUNDS; round++) {
			await sleep(CACHE_MS + 500);
			again.push(await ask('/api/players/stats'));
		}
		return { firstMs: result, waitMs, beforeMs, grownMb, againMs: median(again) };
	} finally {
		await end();
	}
}

async function benchFolder() {
	const world = mkdtempSync(path.join(tmpdir(), 'bench-stats-'));
	try {
		layOut(world);
		const parseMs = await timed(() => parseAll(path.join(world, 'stats')));
		(globalThis as { gc?: () => void }).gc?.();
		const first: number[] = [];
		const again: number[] = [];
		const held: number[] = [];
		const grown: number[] = [];
		for (let round = 0; round < ROUNDS; round++) {
			const before = residentMb(process.pid);
			const clock = { ...systemClock, monotonicMs: () => now };
			let now = 0;
			const stats = createStats({
				folder: createStatsFolder({ worldDir: async () => world }),
				names: async () => new Map(),
				sightings: createSightings({
					file: path.join(world, 'seen.txt'),
					clock,
					warn: console.warn
				}),
				lastSeen: async () => new Map(),
				clock
			});
			await sleep(50); // what blocked the loop until here is not part of the scan
			const loop = monitorEventLoopDelay({ resolution: 1 });
			loop.enable();
			first.push(await timed(() => stats.list()));
			loop.disable();
			held.push(loop.max / 1e6);
			grown.push(residentMb(process.pid) - before);
			now += 61_000;
			again.push(await timed(() => stats.list()));
			await stats.close();
		}
		return {
			parseMs,
			first: median(first),
			held: median(held),
			grown: grown[0]!,
			again: median(again)
		};
	} finally {
		rmSync(world, { recursive: true });
	}
}

function layOut(world: string) {
	for (const kind of ['stats', 'advancements'])
		mkdirSync(path.join(world, kind), { recursive: true });
	for (let i = 0; i < PLAYERS; i++) {
		const uuid = randomBytes(16)
			.toString('hex')
			.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
		put(path.join(world, 'stats', `${uuid}.json`), statsText(i));
		put(path.join(world, 'advancements', `${uuid}.json`), ADVANCEMENTS);
	}
}

function put(file: string, text: string) {
	writeFileSync(file, text);
	utimesSync(file, LONG_AGO, LONG_AGO);
}

const ADVANCEMENTS = JSON.stringify({
	'minecraft:story/root': { criteria: { crafting_table: '2026-01-02 03:04:05 +0000' }, done: true },
	'minecraft:nether/root': {
		criteria: { entered_nether: '2026-01-02 03:04:05 +0000' },
		done: true
	},
	DataVersion: 3955
});

function statsText(player: number): string {
	const stats: Record<string, Record<string, number>> = {
		'minecraft:custom': { 'minecraft:play_time': 72_000 + player, 'minecraft:walk_one_cm': player }
	};
	for (let i = 0, bytes = 0; bytes < FILE_BYTES - 150; i++) {
		const id = `minecraft:some_block_or_item_${(player * 7 + i) % 900}`;
		(stats[`minecraft:${TYPES[i % TYPES.length]}`] ??= {})[id] = 1 + ((i * player) % 5_000);
		bytes += id.length + 8;
	}
	return JSON.stringify({ stats, DataVersion: 3955 });
}

function parseAll(dir: string) {
	for (const name of readdirSync(dir)) JSON.parse(readFileSync(path.join(dir, name), 'utf8'));
}

async function timed(work: () => unknown) {
	const from = performance.now();
	await work();
	return performance.now() - from;
}
