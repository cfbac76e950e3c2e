import { spawnSync } from 'node:child_process';
import { load, median, residentMb, row, sleep, type Row } from './measure.ts';
import type { Bench } from './bench.ts';

const ROUNDS = 5;
/** A word on a ground: what the library alone takes, with a process of its own. */
const BARE = `
const { ImageResponse } = await import('@vercel/og');
const element = { type: 'div', props: { style: { display: 'flex', fontSize: 80 }, children: 'Castle' } };
process.stdout.write(await new ImageResponse(element, { width: 1200, height: 630 }).bytes());`;

/** The preview picture, the first and again, beside the library alone and a file that lies on the disk. */
export async function benchPreview({ start }: Bench): Promise<Row[]> {
	const first: number[] = [];
	const bare: number[] = [];
	const kept: number[] = [];
	for (let round = 1; ; round++) {
		const dashboard = await start();
		await (await fetch(`${dashboard.url}/api/status`)).bytes();
		const before = residentMb(dashboard.pid);
		first.push(await timed(async () => (await fetch(`${dashboard.url}/og.png`)).bytes()));
		await sleep(200);
		kept.push(residentMb(dashboard.pid) - before);
		bare.push(await timed(drawBare));
		if (round < ROUNDS) {
			await dashboard.dispose();
			continue;
		}
		const { pid, url } = dashboard;
		const one = { requests: 2_000, connections: 1 };
		const cached = 1000 / (await load(`${url}/og.png`, pid, one)).rps;
		const file = 1000 / (await load(`${url}/favicon.svg`, pid, one)).rps;
		return [
			row(
				'preview picture, first',
				median(first),
				'ms',
				300,
				`${Math.round(median(bare))} ms library alone`
			),
			row('… cached', cached, 'ms', 2, `${file.toFixed(2)} ms static file`),
			row('… memory kept by the dashboard', median(kept), 'MB', 10)
		];
	}
}

const drawBare = () => {
	const args = ['--input-type=module', '-e', BARE];
	const { status, stderr } = spawnSync(process.execPath, args, { maxBuffer: 4 << 20 });
	if (status !== 0) throw new Error(`The library failed: ${stderr}`);
};

async function timed(work: () => unknown) {
	const from = performance.now();
	await work();
	return performance.now() - from;
}
