import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { seedDemoFolder } from '../demo-server/seed/seed.ts';
import { median, residentMb, residentTreeMb, row, sleep, type Row } from './measure.ts';
import type { Bench } from './bench.ts';

const IDLE_MS = 10_000;
const STARTS = 7;

/** From the process's start to the first 200, and what it weighs when nobody asks anything. */
export async function benchStart({ bare, start }: Bench): Promise<Row[]> {
	const times = await startsOnServer(start);
	const idle = await start();
	await fetch(`${idle.url}/`);
	await sleep(IDLE_MS);
	const weight = residentTreeMb(idle.pid);
	await idle.kill();
	const plain = `${residentMb(bare.pid).toFixed(0)} MB bare SvelteKit`;
	return [
		row('start to first 200, median', median(times), 'ms', 300),
		row('idle memory, of all that a start leaves running', weight, 'MB', 85, plain)
	];
}

/** As its owner starts it every day, in milliseconds: the server's folder is there before the clock runs. */
async function startsOnServer(start: Bench['start']): Promise<number[]> {
	const folder = await mkdtemp(path.join(tmpdir(), 'craftwarden-bench-'));
	try {
		await seedDemoFolder(folder);
		const times: number[] = [];
		for (let i = 0; i < STARTS; i++) {
			const from = performance.now();
			const dashboard = await start({ SERVER_DIR: folder });
			if (!(await fetch(`${dashboard.url}/healthz`)).ok) throw new Error('No 200');
			times.push(performance.now() - from);
			await dashboard.kill();
		}
		return times;
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}
