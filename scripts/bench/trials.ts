import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fork } from 'node:child_process';
import { systemClock } from '#core/clock';
import { findCulprits, mostBoots, type Group } from '#services/mods';
import { createTrials } from '#trial';
import { fakeJar, makeJava } from '../../tests/fakes/game/java-that-reads-mods.ts';
import { quantile, row, sleep, type Row } from './measure.ts';

const TICK_MS = 50;
const COUNTS = [8, 60, 200];

/** What a trial costs the players meanwhile, and how many boots a search takes. */
export async function benchTrials(): Promise<Row[]> {
	const searches = await Promise.all(COUNTS.map(boots));
	return [...(await ticks()), ...searches.flat()];
}

/** The worst case over every position of one culprit, and over many pairs. */
async function boots(count: number): Promise<Row[]> {
	const groups = Array.from({ length: count }, (_, i): Group => ({ files: [`m${i}`], needs: [] }));
	const search = async (...guilty: number[]) => {
		let made = 0;
		await findCulprits(
			groups,
			async (on) => {
				made++;
				return guilty.every((one) => on.includes(groups[one]!)) ? 'bad' : 'good';
			},
			[groups]
		);
		return made;
	};
	const [ones, pairs]: [number[], number[]] = [[], []];
	const step = Math.ceil(count / 20);
	for (let a = 0; a < count; a++) {
		ones.push(await search(a));
		for (let b = a + 1; b < count; b += step) pairs.push(await search(a, b));
	}
	const { one, pair } = mostBoots(count);
	return [
		row(`boots to find one culprit among ${count}, worst`, Math.max(...ones), 'boots', one + 1),
		row(`… two that fail only together, worst`, Math.max(...pairs), 'boots', pair + 1)
	];
}

/** A stand-in for the game, which works for half of each tick, beside a trial that burns every core. */
async function ticks(): Promise<Row[]> {
	const dir = await mkdtemp(path.join(tmpdir(), 'bench-trial-'));
	const game = fork(new URL('./ticking.ts', import.meta.url), [String(TICK_MS)]);
	const late: number[] = [];
	game.on('message', (ms) => void late.push(Number(ms)));
	try {
		await sleep(6_000);
		const before = late.splice(0);
		const verdict = await burningTrial(dir);
		const meanwhile = late.splice(0);
		const p99 = quantile(meanwhile, 0.99);
		const [base, ok] = [quantile(before, 0.99), verdict === 'good'];
		return [
			{
				...row('tick of a busy game during a trial, p99', p99, 'ms', base + TICK_MS),
				baseline: `${base.toFixed(1)} ms without${ok ? '' : ` (the trial was ${verdict})`}`
			},
			row('… longest', Math.max(...meanwhile), 'ms', null, `${Math.max(...before).toFixed(1)} ms`)
		];
	} finally {
		game.kill();
		await rm(dir, { recursive: true, force: true });
	}
}

async function burningTrial(dir: string): Promise<string> {
	const serverDir = path.join(dir, 'server');
	await mkdir(path.join(serverDir, 'mods'), { recursive: true });
	await writeFile(path.join(serverDir, 'server.jar'), '');
	const jar = path.join(serverDir, 'mods', 'a.jar');
	await writeFile(jar, fakeJar({ id: 'a', does: 'burn' }));
	const java = await makeJava(dir);
	const trials = createTrials({
		...{ serverDir, dataDir: path.join(dir, 'data'), clock: systemClock, environment: {} },
		// What it starts is ours: where there is no sandbox, priorities are lowered all the same.
		...{ trusted: true, mask: async () => (text) => text, hidden: { dirs: [], files: [] } },
		installation: async () => ({
			command: [java, '-Xmx32M', '-jar', 'server.jar'],
			worldDir: path.join(serverDir, 'world'),
			supported: true
		}),
		liveBytes: async () => null,
		history: { read: async () => [], add: async () => {} },
		limits: { maxMs: 60_000, minMs: 1000, holdMs: 200 },
		log: { info() {}, warn() {}, error: console.error }
	});
	const { verdict } = await trials.boot([{ fileName: 'a.jar', path: jar }], {
		signal: new AbortController().signal
	});
	return verdict;
}
