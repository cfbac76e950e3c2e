import { signedIn, startDashboard, type Dashboard } from '../../tests/harness.ts';
import { startBareApp } from './bare-app.ts';
import { benchLive } from './live.ts';
import { load, median, residentMb, row, sleep, type Row } from './measure.ts';
import { benchPages } from './pages.ts';

const IDLE_MS = 10_000;
const STARTS = 7;
const ENV = { STREAMS_PER_ACCOUNT: '2000' };

const started: Dashboard[] = [];
const bare = await startBareApp();
try {
	const rows: Row[] = [];
	const show = (more: Row[]) => {
		rows.push(...more);
		console.table(more);
	};
	show(await benchStart());
	const dashboard = await start();
	show(await benchRequests(dashboard));
	show(await benchPages(dashboard));
	show(await benchLive(dashboard));
	if (process.argv.includes('--rest')) show(await benchRest(dashboard));
	const missed = rows.filter(({ ok }) => ok === false);
	console.log(
		missed.length
			? `${missed.length} of ${rows.length} numbers are not held.`
			: 'All numbers are held.'
	);
} finally {
	await Promise.all(started.map((dashboard) => dashboard.dispose()));
	await bare.stop();
}

async function start(): Promise<Dashboard> {
	const dashboard = await startDashboard({ env: ENV });
	started.push(dashboard);
	return dashboard;
}

/** From the process's start to the first 200, and what it weighs when nobody asks anything. */
async function benchStart(): Promise<Row[]> {
	const times: number[] = [];
	for (let i = 0; i < STARTS; i++) {
		const from = performance.now();
		const dashboard = await start();
		if (!(await fetch(`${dashboard.url}/healthz`)).ok) throw new Error('No 200');
		times.push(performance.now() - from);
		await dashboard.kill();
	}
	const idle = await start();
	await fetch(`${idle.url}/`);
	await sleep(IDLE_MS);
	return [
		row('start to first 200, median', median(times), 'ms', 300),
		row(
			'idle memory',
			residentMb(idle.pid),
			'MB',
			80,
			`${residentMb(bare.pid).toFixed(0)} MB bare SvelteKit`
		)
	];
}

async function benchRequests(dashboard: Dashboard): Promise<Row[]> {
	const constant = await load(`${bare.url}/constant`, bare.pid);
	const status = await load(`${dashboard.url}/api/status`, dashboard.pid);
	const { cookie } = await signedIn(dashboard);
	const overview = await load(`${dashboard.url}/admin`, dashboard.pid, {
		requests: 1_500,
		headers: { cookie }
	});
	const empty = await load(`${bare.url}/`, bare.pid, { requests: 1_500 });
	const base = `${constant.cpuPerRequestUs.toFixed(0)} µs bare SvelteKit`;
	return [
		row('GET /api/status, CPU per request', status.cpuPerRequestUs, 'µs', 300, base),
		row(
			'GET /api/status, beside bare SvelteKit',
			status.cpuPerRequestUs / constant.cpuPerRequestUs,
			'×',
			1.25
		),
		row(
			'GET /admin, CPU of rendering',
			overview.cpuPerRequestUs / 1000,
			'ms',
			1.5,
			`${(empty.cpuPerRequestUs / 1000).toFixed(2)} ms bare page`
		)
	];
}

/** Five minutes after the load: only with `npm run bench -- --rest`. */
async function benchRest(dashboard: Dashboard): Promise<Row[]> {
	const peak = residentMb(dashboard.pid);
	await sleep(300_000);
	return [
		row(
			'memory 5 min after the load',
			residentMb(dashboard.pid),
			'MB',
			110,
			`${peak.toFixed(0)} MB at its end`
		)
	];
}
