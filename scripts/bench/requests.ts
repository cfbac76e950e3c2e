import { signedIn, type Dashboard } from '../../tests/harness.ts';
import { power } from '../../tests/integration/kit/actions.ts';
import {
	load,
	loadBoth,
	median,
	row,
	shownPairs,
	sleep,
	timesIn,
	type Pair,
	type Row,
	type Served
} from './measure.ts';
import type { Bench } from './bench.ts';

const ROUNDS = 5;
/** How well V8 compiles the same program differs from one process to the next by more than the whole difference. */
const PROCESSES = 7;
/** V8 goes on compiling for some 30,000 requests, the more the larger the program; that time is no cost of a request. */
const WARM_UP = 40_000;

/** By then it has given back the memory of its start; if that happens while V8 warms up, it takes far longer to get fast. */
const TIDIED_MS = 3_000;

const METRICS_TOKEN = 'bench-0123456789abcdef';

/** With a server that runs, so that there is something to say. */
async function benchMetrics(start: Bench['start']): Promise<Row> {
	const dashboard = await start({ METRICS_TOKEN });
	await power(await signedIn(dashboard), 'start');
	const { cpuPerRequestUs } = await load(`${dashboard.url}/metrics`, dashboard.pid, {
		requests: 1_500,
		headers: { authorization: `Bearer ${METRICS_TOKEN}` }
	});
	return row('GET /metrics, CPU per scrape', cpuPerRequestUs / 1000, 'ms', 2);
}

/** Two new processes: CPU per request in µs of one that returns a constant, and of ours. */
async function benchStatus(bare: Served, dashboard: Dashboard): Promise<Pair> {
	const constant = { url: `${bare.url}/constant`, pid: bare.pid };
	const status = { url: `${dashboard.url}/api/status`, pid: dashboard.pid };
	await sleep(TIDIED_MS);
	await loadBoth(constant, status, WARM_UP);
	const rounds: Pair[] = [];
	for (let i = 0; i < ROUNDS; i++) rounds.push(await loadBoth(constant, status, 5_000));
	return [median(rounds.map(([us]) => us)), median(rounds.map(([, us]) => us))];
}

export async function benchRequests({ bare, serveBare, dashboard, start }: Bench): Promise<Row[]> {
	const pairs: Pair[] = [];
	for (let i = 0; i < PROCESSES; i++)
		pairs.push(await benchStatus(await serveBare(), await start()));
	const theirs = median(pairs.map(([us]) => us));
	const ours = median(pairs.map(([, us]) => us));
	const { cookie } = await signedIn(dashboard);
	const overview = await load(`${dashboard.url}/admin`, dashboard.pid, {
		requests: 1_500,
		headers: { cookie }
	});
	const empty = await load(`${bare.url}/`, bare.pid, { requests: 1_500 });
	return [
		row(
			'GET /api/status, CPU per request',
			ours,
			'µs',
			300,
			`${theirs.toFixed(0)} µs bare SvelteKit`
		),
		row('GET /api/status, beside bare SvelteKit', timesIn(pairs), '×', 1.25, shownPairs(pairs)),
		row(
			'GET /admin, CPU of rendering',
			overview.cpuPerRequestUs / 1000,
			'ms',
			1.5,
			`${(empty.cpuPerRequestUs / 1000).toFixed(2)} ms bare page`
		),
		await benchMetrics(start)
	];
}
