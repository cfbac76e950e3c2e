import { createServer, get, type ServerResponse } from 'node:http';
import { signedIn } from '../../tests/harness.ts';
import { benchLines } from './line-delays.ts';
import { cpuMs, quantile, residentMb, row, sleep, type Row } from './measure.ts';
import type { Bench } from './bench.ts';

const CLIENTS = 1_000;
/** Until the start's own garbage is collected (scripts/tidy-memory.js). */
const SETTLE_MS = 3_000;
/** Until what opening the streams has left is collected, some 20 s later: those are no event's costs either. */
const OPENED_MS = 22_000;
const WATCH_MS = 30_000;

/** How soon a line of the log arrives; fan-out of the status event to 1,000 clients, beside a plain Node server that writes the same bytes. */
export async function benchLive({ start }: Bench): Promise<Row[]> {
	const dashboard = await start(); // its own: what other parts left to be collected is no event's cost
	await sleep(SETTLE_MS);
	const lines = await benchLines(dashboard);
	const { cookie } = await signedIn(dashboard);
	const events = { url: `${dashboard.url}/api/events`, pid: dashboard.pid, headers: { cookie } };
	const alone = await fanOut(events, 1);
	const ours = await fanOut(events, CLIENTS);
	await dashboard.dispose();
	const plain = await plainFanOut();
	return [
		...lines,
		row(
			'live, CPU per event, 1,000 clients beside one',
			ours.cpuPerEventMs - alone.cpuPerEventMs,
			'ms',
			35,
			`${plain.cpuPerEventMs.toFixed(1)} ms plain Node; all that it does for one: ${alone.cpuPerEventMs.toFixed(1)} ms`
		),
		row(
			'live, spread over all clients, p99',
			ours.spreadMs,
			'ms',
			100,
			`${plain.spreadMs.toFixed(1)} ms plain Node`
		),
		row(
			'live, memory per client',
			ours.kbPerClient,
			'kB',
			60,
			`${plain.kbPerClient.toFixed(1)} kB plain Node`
		),
		row('live, status events per 5 s and client', ours.eventsPer5s, '', 1.4)
	];
}

type FanOut = { cpuPerEventMs: number; spreadMs: number; kbPerClient: number; eventsPer5s: number };

type Source = { url: string; pid: number; headers: Record<string, string> };

async function fanOut({ url, pid, headers }: Source, clients: number): Promise<FanOut> {
	const before = residentMb(pid);
	const arrivals = new Map<string, number[]>();
	const sockets = await Promise.all(
		Array.from({ length: clients }, () => listen(url, headers, arrivals))
	);
	await sleep(OPENED_MS);
	arrivals.clear();
	const cpu = cpuMs(pid);
	await sleep(WATCH_MS);
	const used = cpuMs(pid) - cpu;
	const kbPerClient = ((residentMb(pid) - before) * 1024) / clients;
	const heard = [...arrivals].filter(([, times]) => times.length > clients / 2);
	const events = heard.map(([, times]) => times);
	const statuses = heard.filter(([chunk]) => chunk.includes('event: status')).length;
	for (const close of sockets) close();
	await sleep(500);
	return {
		cpuPerEventMs: used / Math.max(1, events.length),
		spreadMs: Math.max(...events.map((times) => quantile(times, 0.99) - quantile(times, 0))),
		kbPerClient,
		eventsPer5s: statuses / (WATCH_MS / 5_000)
	};
}

/** Notes when each distinct event arrives, heartbeats too: they cost as much. */
function listen(url: string, headers: Record<string, string>, arrivals: Map<string, number[]>) {
	return new Promise<() => void>((resolve, reject) => {
		const sent = get(url, { headers, agent: false }, (response) => {
			if (response.statusCode !== 200) return reject(new Error(`${url}: ${response.statusCode}`));
			response.setEncoding('utf8');
			response.on('data', (chunk: string) => {
				if (!chunk.includes('event: ')) return;
				const times = arrivals.get(chunk);
				if (times) times.push(performance.now());
				else arrivals.set(chunk, [performance.now()]);
			});
			resolve(() => sent.destroy());
		});
		sent.on('error', reject);
	});
}

/** The floor: the same event written by a server that does nothing else. It runs in this process's own child. */
async function plainFanOut(): Promise<FanOut> {
	const { fork } = await import('node:child_process');
	const child = fork(import.meta.filename, ['--plain'], { execArgv: [] });
	const port = await new Promise<number>((resolve) =>
		child.once('message', (p) => resolve(p as number))
	);
	try {
		return await fanOut(
			{ url: `http://127.0.0.1:${port}/`, pid: child.pid!, headers: {} },
			CLIENTS
		);
	} finally {
		child.kill('SIGKILL');
	}
}

if (process.argv.includes('--plain')) {
	const open = new Set<ServerResponse>();
	const server = createServer((_request, response) => {
		response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
		open.add(response);
		response.on('close', () => open.delete(response));
	});
	server.listen(0, '127.0.0.1', () => process.send?.((server.address() as { port: number }).port));
	setInterval(() => {
		const event = `event: status\ndata: {"checkedAt":"${Date.now()}","padding":"${'x'.repeat(400)}"}\n\n`;
		for (const response of open) response.write(event);
	}, 5_000);
}
