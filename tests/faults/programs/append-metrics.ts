// Samples into a metrics file and thins it out: `append-metrics.ts <file> <from> <count> <keep>`, one sample a minute.
import { createMetrics } from '#storage/metrics';

const [, , file, from, count, keep] = process.argv as [
	string,
	string,
	string,
	string,
	string,
	string
];
const metrics = createMetrics(file);
const MINUTE_MS = 60_000;

async function attempt(word: string, n: number, work: () => Promise<unknown>) {
	const done = await work().then(
		() => word,
		() => 'dropped'
	);
	// Told before the next: to a pipe that is full a write is only queued, and a kill takes the queue along.
	await new Promise((told) => process.stdout.write(`${done} ${n}\n`, told));
}
for (let n = Number(from); n < Number(from) + Number(count); n++) {
	const sample = { ramBytes: n, cpuPercent: 1.5, players: 2, tps: 20, mspt: null };
	await attempt('written', n, () =>
		metrics.append({ t: 1_700_000_000_000 + n * MINUTE_MS, ...sample })
	);
}
const before = 1_700_000_000_000 + Number(keep) * MINUTE_MS;
await attempt('pruned', Number(keep), () => metrics.prune(before));
