// usage: npm run bench [-- part …]; without names all but the slow parts
import { startDashboard, type Dashboard } from '../../tests/harness.ts';
import { buildBareApp } from './bare-app.ts';
import type { Row } from './measure.ts';
import type { Bench } from './bench.ts';
import { PARTS } from './parts.ts';

/** The second is the value that `scripts/start` sets. */
const ENV = {
	STREAMS_PER_ACCOUNT: '2000',
	GLIBC_TUNABLES: 'glibc.malloc.arena_max=1:glibc.malloc.mmap_threshold=131072'
};

const named = process.argv.slice(2).map((name) => name.replace(/^--/, ''));
const unknown = named.find((name) => !(name in PARTS));
if (unknown) {
	console.error(`There is no part ${unknown}. There are: ${Object.keys(PARTS).join(', ')}.`);
	process.exit(2);
}
const chosen = Object.entries(PARTS).filter(([name, { slow }]) =>
	named.length ? named.includes(name) : !slow
);

const started: Dashboard[] = [];
async function start(env: Record<string, string> = {}): Promise<Dashboard> {
	const dashboard = await startDashboard({ env: { ...ENV, ...env } });
	started.push(dashboard);
	return dashboard;
}

const bareApp = await buildBareApp();
try {
	const bench: Bench = {
		bare: await bareApp.serve(),
		serveBare: bareApp.serve,
		dashboard: await start(),
		start
	};
	const rows: Row[] = [];
	for (const [, { run }] of chosen) {
		const more = await run(bench);
		rows.push(...more);
		console.table(more);
	}
	const missed = rows.filter(({ ok }) => ok === false);
	console.log(
		missed.length
			? `${missed.length} of ${rows.length} numbers are not held.`
			: 'All numbers are held.'
	);
} finally {
	await Promise.all(started.map((dashboard) => dashboard.dispose()));
	await bareApp.dispose();
}
