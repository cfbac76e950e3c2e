import { Agent, request } from 'node:http';
import { readdirSync, readFileSync } from 'node:fs';

/** CPU time that a process and its threads have used so far; exact, where `stat` counts in steps of 10 ms. */
export function cpuMs(pid: number): number {
	const ofThreads = readdirSync(`/proc/${pid}/task`).map((thread) => {
		try {
			return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
		} catch {
			return 0; // it has just ended
		}
	});
	return ofThreads.reduce((sum, ns) => sum + ns, 0) / 1e6;
}

export function residentMb(pid: number): number {
	const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
	return Number(line?.[1] ?? NaN) / 1024;
}

/** With all that it has started, directly or not. */
export function residentTreeMb(pid: number): number {
	const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
		readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean)
	);
	return children.reduce((sum, child) => sum + residentTreeMb(Number(child)), residentMb(pid));
}

export const median = (values: number[]) => quantile(values, 0.5);
export function quantile(values: number[], q: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? NaN;
}

/** A baseline and ours, measured together, in the same unit. */
export type Pair = [theirs: number, ours: number];
/** How many times the baseline ours is: of each pair, which shared what else the machine did. */
export const timesIn = (pairs: Pair[]) => median(pairs.map(([theirs, ours]) => ours / theirs));
/** "44/38, 52/36": ours and the baseline of each. */
export const shownPairs = (pairs: Pair[]) =>
	pairs.map(([theirs, ours]) => `${ours.toFixed(0)}/${theirs.toFixed(0)}`).join(', ');

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export type Load = { requests: number; cpuPerRequestUs: number; rps: number; p99Ms: number };

/** Asks one address over keep-alive connections and sets the server's CPU time against the count. */
export async function load(
	url: string,
	pid: number,
	{ requests = 6_000, connections = 20, headers = {} as Record<string, string> } = {}
): Promise<Load> {
	const agent = new Agent({ keepAlive: true, maxSockets: connections });
	const ask = () =>
		new Promise<number>((resolve, reject) => {
			const from = performance.now();
			const sent = request(url, { agent, headers }, (response) => {
				if (response.statusCode !== 200)
					reject(new Error(`${url} answered ${response.statusCode}`));
				response.on('end', () => resolve(performance.now() - from)).resume();
			});
			sent.on('error', reject).end();
		});
	const run = async (count: number) => {
		const times: number[] = [];
		let left = count;
		await Promise.all(
			Array.from({ length: connections }, async () => {
				while (left-- > 0) times.push(await ask());
			})
		);
		return times;
	};
	await run(Math.min(1_500, requests));
	const [cpu, from] = [cpuMs(pid), performance.now()];
	const times = await run(requests);
	const [usedMs, tookMs] = [cpuMs(pid) - cpu, performance.now() - from];
	agent.destroy();
	return {
		requests,
		cpuPerRequestUs: (usedMs * 1000) / times.length,
		rps: (times.length / tookMs) * 1000,
		p99Ms: quantile(times, 0.99)
	};
}

export type Served = { url: string; pid: number };

/**
 * CPU per request in µs of two programs that are asked in turn on each connection: whatever else the machine does, it
 * does it to both, so that their ratio means something.
 */
export async function loadBoth(
	one: Served,
	two: Served,
	requests: number
): Promise<[number, number]> {
	const agents = [one, two].map(() => new Agent({ keepAlive: true, maxSockets: 20 }));
	const ask = ({ url }: Served, agent?: Agent) =>
		new Promise<void>((resolve, reject) => {
			request(url, { agent }, (response) => response.on('end', resolve).resume())
				.on('error', reject)
				.end();
		});
	const before = [cpuMs(one.pid), cpuMs(two.pid)] as const;
	let left = requests;
	await Promise.all(
		Array.from({ length: 20 }, async () => {
			while (left-- > 0) {
				await ask(one, agents[0]);
				await ask(two, agents[1]);
			}
		})
	);
	for (const agent of agents) agent.destroy();
	const us = (pid: number, from: number) => ((cpuMs(pid) - from) * 1000) / requests;
	return [us(one.pid, before[0]), us(two.pid, before[1])];
}

export type Row = {
	work: string;
	measured: string;
	must: string;
	ok: boolean | null;
	baseline: string;
};

/** Without a `limit` (null) it is shown but not judged. */
export function row(
	work: string,
	value: number,
	unit: string,
	limit: number | null,
	baseline = ''
): Row {
	const shown = `${value >= 100 ? Math.round(value) : value.toFixed(2)} ${unit}`;
	return {
		work,
		measured: shown,
		must: limit === null ? '' : `< ${limit} ${unit}`,
		ok: limit === null ? null : value < limit,
		baseline
	};
}
