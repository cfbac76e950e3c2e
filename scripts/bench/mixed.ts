import { Agent, get, request } from 'node:http';
import { appendFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { signedIn } from '../../tests/harness.ts';
import { quantile, residentMb, row, sleep, type Row } from './measure.ts';
import type { Bench } from './bench.ts';

/** One request every so often, as with some people on several pages at once. */
const EVERY_MS = 40;
const STREAMS = 10;
const LINE_EVERY_MS = 250;
const REQUEST_LIMIT_MS = 10_000;

/** What is asked for in turn: by visitors, and by people who are signed in. The number makes each a little different. */
const VISITOR = [() => '/', () => '/login', () => '/api/status', () => '/healthz'];
const ADMIN: ((i: number) => string)[] = [
	() => '/admin',
	() => '/admin/players',
	() => '/admin/mods',
	() => '/admin/logs',
	() => '/admin/backups',
	() => '/api/mods',
	() => '/api/players/stats',
	() => '/api/chat',
	() => '/api/operations',
	(i) => `/api/logs?lines=${200 + (i % 300)}`,
	(i) => `/api/logs?lines=100&q=word-${i}`,
	(i) => `/api/analytics?window=24h&points=${100 + (i % 200)}`,
	(i) => `/api/audit?limit=${20 + (i % 30)}`
];

type Lasting = { trafficMs: number; restMs: number };
const SHORT: Lasting = { trafficMs: 20_000, restMs: 75_000 };
const FULL: Lasting = { trafficMs: 20 * 60_000, restMs: 5 * 60_000 };

/** All kinds of requests, live streams and a log that grows: what fails, and what memory is left after. */
export const benchMixed = (bench: Bench) => mixed(bench, SHORT, '20 s');
export const benchMixedFull = (bench: Bench) => mixed(bench, FULL, '20 min');

async function mixed({ start }: Bench, { trafficMs, restMs }: Lasting, name: string) {
	const dashboard = await start();
	const before = residentMb(dashboard.pid);
	const { cookie } = await signedIn(dashboard);
	const streams = Array.from({ length: STREAMS }, () =>
		listen(`${dashboard.url}/api/events`, cookie)
	);
	const over = Date.now() + trafficMs;
	const [times] = await Promise.all([
		ask(dashboard.url, cookie, over),
		grow(path.join(dashboard.gameDir, 'logs', 'latest.log'), over)
	]);
	const broken = streams.filter((close) => close()).length;
	const after = residentMb(dashboard.pid);
	await sleep(restMs);
	const rested = residentMb(dashboard.pid);
	const answered = times.filter((ms) => ms !== null);
	const of = `of ${times.length}; ${broken} of ${STREAMS} streams broke`;
	const isFull = trafficMs === FULL.trafficMs;
	return [
		row(`mixed traffic of ${name}, failed requests`, times.length - answered.length, '', 1, of),
		row('… p99', quantile(answered, 0.99), 'ms', null),
		row('… memory after it', after, 'MB', null, `${before.toFixed(0)} MB before`),
		row(`… memory ${restMs / 1000} s later`, rested, 'MB', isFull ? 110 : null)
	] satisfies Row[];
}

/** At a steady rate, however long the answers take; null for one that failed. */
async function ask(url: string, cookie: string, over: number): Promise<(number | null)[]> {
	const agent = new Agent({ keepAlive: true, maxSockets: 20 });
	const asked: Promise<number | null>[] = [];
	for (let i = 0; Date.now() < over; i++) {
		const visits = i % 3 === 0;
		const list = visits ? VISITOR : ADMIN;
		const target = list[Math.floor(i / 3) % list.length]!(i);
		asked.push(answerOf(url + target, visits ? {} : { cookie }, agent));
		await sleep(EVERY_MS);
	}
	const times = await Promise.all(asked);
	agent.destroy();
	return times;
}

const answerOf = (
	url: string,
	headers: Record<string, string>,
	agent: Agent,
	from = performance.now()
): Promise<number | null> =>
	new Promise((resolve) => {
		const failed = (why: unknown) => {
			console.warn(`${url}: ${why}`);
			resolve(null);
		};
		const sent = request(url, { agent, headers: { ...headers, 'accept-encoding': 'gzip' } });
		sent.on('response', (answer) => {
			if (answer.statusCode !== 200) failed(answer.statusCode);
			answer.on('end', () => resolve(performance.now() - from)).resume();
		});
		sent.setTimeout(REQUEST_LIMIT_MS, () => sent.destroy(new Error('no answer in time')));
		sent
			.on('error', (error: NodeJS.ErrnoException) => {
				// A connection kept for later may be closed in the very moment of its use: as browsers do, once more.
				const again = sent.reusedSocket && error.code === 'ECONNRESET';
				if (again) resolve(answerOf(url, headers, agent, from));
				else failed(error);
			})
			.end();
	});

/** Returns what closes it, which says whether it had broken by then. */
function listen(url: string, cookie: string): () => boolean {
	let broken = false;
	const sent = get(url, { headers: { cookie }, agent: false }, (answer) => {
		broken ||= answer.statusCode !== 200;
		answer.on('close', () => (broken = true)).resume();
	});
	sent.on('error', () => (broken = true));
	return () => {
		const was = broken;
		sent.destroy();
		return was;
	};
}

async function grow(file: string, over: number) {
	await mkdir(path.dirname(file), { recursive: true });
	for (let i = 0; Date.now() < over; i++) {
		await appendFile(file, `[12:00:00] [Server thread/INFO]: <Player_${i % 20}> word-${i}\n`);
		await sleep(LINE_EVERY_MS);
	}
}
