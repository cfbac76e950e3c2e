import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { systemClock } from '#core/clock';
import { copyTree, readTree } from '#core/files';
import { createModrinth } from '#registry';
import { loadersFor } from '#services/mods';
import { createReadinessList } from '#services/upgrades';
import { median, row, type Row } from './measure.ts';

const MODS = 200;
const GAMES = ['26.1', '1.21.11', '1.21.10', '1.21.5'];
const REGIONS = 64;
const REGION_BYTES = Number(process.env['BENCH_REGION_BYTES'] ?? 32 << 20);
const ROUNDS = 3;

/** What it takes to say which game versions many mods support, and to copy a world for the new game. */
export async function benchUpgrades(): Promise<Row[]> {
	const { requests, cpuMs } = await readiness();
	const { ours, cp } = await copies();
	const size = `${((REGIONS * REGION_BYTES) / 2 ** 30).toFixed(1)} GiB`;
	return [
		row(`game versions of ${MODS} mods, requests to the registry`, requests, 'requests', 9),
		row('… our own CPU', cpuMs, 'ms', 300),
		row(`world of ${size} copied for an upgrade`, ours, 'ms', null, `${Math.round(cp)} ms cp -r`),
		row('… beside cp', ours / cp, '×', 1.5)
	];
}

async function readiness() {
	const registry = new Worker(new URL('many-mods.ts', import.meta.url), {
		workerData: { mods: MODS, games: GAMES }
	});
	try {
		const [{ url, files }] = (await once(registry, 'message')) as [
			{ url: string; files: { fileName: string; title: string; sha512: string }[] }
		];
		const client = createModrinth({
			...{ baseUrl: new URL(url), userAgent: 'craftwarden-bench/1 (bench)', clock: systemClock },
			log: { info: () => {}, warn: () => {} }
		});
		const list = createReadinessList({
			...{ registry: client, loadersFor, clock: systemClock },
			mods: { parkedWith: async () => [] },
			releases: async () =>
				[...GAMES, '1.21.1'].map((id) => ({ id, type: 'release', releasedAt: null, java: 21 })),
			builds: async () => [{ id: '0.18.0', stable: true }],
			failed: async () => ({ key: '', of: () => null, wentBack: () => undefined }),
			installed: async () => ({
				...{ loader: 'fabric', gameVersion: '1.21.1', files, requests: 1, problem: null },
				versions: await client.byHash(files.map(({ sha512 }) => sha512))
			})
		});
		const before = process.threadCpuUsage();
		const { newestComplete } = await list(false);
		const { user, system } = process.threadCpuUsage(before);
		client.close();
		if (newestComplete !== GAMES.at(-1)) throw new Error(`It found ${newestComplete}`);
		registry.postMessage('how many');
		const [requests] = (await once(registry, 'message')) as [number];
		return { requests, cpuMs: (user + system) / 1000 };
	} finally {
		await registry.terminate();
	}
}

async function copies() {
	const root = mkdtempSync(path.join(tmpdir(), 'bench-upgrades-'));
	const world = path.join(root, 'world');
	try {
		mkdirSync(path.join(world, 'region'), { recursive: true });
		const chunks = randomBytes(REGION_BYTES);
		for (let i = 0; i < REGIONS; i++) {
			chunks.writeUInt32BE(i, 0);
			writeFileSync(path.join(world, `region/r.${i}.0.mca`), chunks);
		}
		const times: Record<'ours' | 'cp', number[]> = { ours: [], cp: [] };
		for (let round = 0; round < ROUNDS; round++) {
			const to = (name: string) => path.join(root, name);
			times.cp.push(
				await timed(root, () => {
					execFileSync('cp', ['-r', '--reflink=auto', world, to('by-cp')]);
				})
			);
			times.ours.push(
				await timed(root, async () => copyTree(world, to('by-us'), await readTree(world)))
			);
			for (const name of ['by-cp', 'by-us']) rmSync(to(name), { recursive: true });
		}
		return { ours: median(times.ours), cp: median(times.cp) };
	} finally {
		rmSync(root, { recursive: true, force: true });
	}
}

/** Until it is on the disk: what only waits in memory has not been copied. */
async function timed(dir: string, work: () => void | Promise<void>) {
	execFileSync('sync', ['-f', dir]);
	const from = performance.now();
	await work();
	execFileSync('sync', ['-f', dir]);
	return performance.now() - from;
}
