import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openStore, plant, stored } from '../../tests/fakes/archives/snapshot-folders.ts';
import { median, residentMb, row, sleep, type Row } from './measure.ts';

const MODS = 200;
const MOD_BYTES = 2_000_000;
const CONFIGS = 300;
const RUNS = 5;
/** What was written just now cannot be told from a later change. */
const SETTLE_MS = 300;

/** What it costs to keep 200 mods (400 MB) and 300 small files of configuration, and to go back to them. */
export async function benchSnapshots(): Promise<Row[]> {
	const dir = await mkdtemp(path.join(tmpdir(), 'craftwarden-bench-'));
	const { store, serverDir, snapshotDir } = openStore(dir);
	const take = () => store.take({ reason: 'manual', operationId: null, by: null, note: '' });
	try {
		for (let i = 0; i < MODS; i++)
			await plant(serverDir, { [`mods/mod-${i}.jar`]: randomBytes(MOD_BYTES) });
		for (let i = 0; i < CONFIGS; i++)
			await plant(serverDir, { [`config/mod-${i}.toml`]: `value = ${i}\n`.repeat(50) });
		await sleep(SETTLE_MS);

		const copyMs = await timed(async () => {
			for (const name of ['mods', 'config'])
				execFileSync('cp', ['-a', path.join(serverDir, name), path.join(dir, `copy-${name}`)]);
		});
		const before = residentMb(process.pid);
		const loop = monitorEventLoopDelay({ resolution: 1 });
		loop.enable();
		const firstMs = await timed(take);
		loop.disable();
		const grownMb = residentMb(process.pid) - before;

		const { bytes } = await stored(snapshotDir);
		const again: number[] = [];
		for (let i = 0; i < RUNS; i++) again.push(await timed(take));
		const newBytes = (await stored(snapshotDir)).bytes - bytes;

		const { id } = (await store.list())[0]!;
		await rm(path.join(serverDir, 'mods'), { recursive: true });
		await writeFile(path.join(serverDir, 'config/mod-1.toml'), 'value = 0\n');
		const backMs = await timed(() => store.putBack(id));
		const copied = `${(copyMs / 1000).toFixed(2)} s cp -a`;
		return [
			row('snapshot of 200 unchanged mods (400 MB)', median(again) / 1000, 's', 0.3, copied),
			row('… new bytes beyond the manifest', newBytes, 'B', 1),
			row('first snapshot of them, on disk', firstMs / 1000, 's', null, copied),
			row('… longest hold of the event loop', loop.max / 1e6, 'ms', null),
			row('… memory', grownMb, 'MB', 100),
			row('putting all of them back', backMs / 1000, 's', null, copied)
		];
	} finally {
		store.close();
		await rm(dir, { recursive: true, force: true });
	}
}

async function timed(work: () => Promise<unknown>): Promise<number> {
	const from = performance.now();
	await work();
	return performance.now() - from;
}
