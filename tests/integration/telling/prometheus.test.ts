import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ownPort } from '../../../scripts/demo-server/testing/own-port.ts';
import { eventually, signedIn, Visitor } from '../../harness.ts';
import { power } from '../kit/actions.ts';
import { dashboardWith, home, opened } from '../kit/opened.ts';

const TOKEN = 'scrape-me-0123456789abcdef';
const isMissing = spawnSync('prometheus', ['--version']).error !== undefined;

/** The example of deploy/grafana, with nothing changed but where things are. */
async function startPrometheus(dashboardUrl: string) {
	const dir = await home();
	const example = await readFile('deploy/grafana/prometheus.yml', 'utf8');
	const ours = example
		.replace('/etc/prometheus/craftwarden-token', path.join(dir, 'token'))
		.replace('127.0.0.1:3000', new URL(dashboardUrl).host)
		.replace('scrape_interval: 15s', 'scrape_interval: 1s');
	await writeFile(path.join(dir, 'token'), TOKEN, { mode: 0o600 });
	await writeFile(path.join(dir, 'prometheus.yml'), ours);
	const address = `127.0.0.1:${await ownPort()}`;
	const child = spawn(
		'prometheus',
		[
			`--config.file=${path.join(dir, 'prometheus.yml')}`,
			`--storage.tsdb.path=${path.join(dir, 'data')}`,
			`--web.listen-address=${address}`
		],
		{ stdio: 'ignore' }
	);
	opened.push(async () => {
		if (child.exitCode !== null) return;
		child.kill('SIGKILL');
		await once(child, 'exit');
	});
	type Sample = { metric: Record<string, string>; value: [number, string] };
	return async (query: string) => {
		const url = `http://${address}/api/v1/query?query=${encodeURIComponent(query)}`;
		const response = await fetch(url).catch(() => null);
		if (!response || response.status === 503) return null; // it is only starting
		const { status, error, data } = (await response.json()) as {
			status: string;
			error?: string;
			data?: { result: Sample[] };
		};
		expect(status, `${query}: ${error}`).toBe('success');
		return data!.result;
	};
}

/** Every query of our dashboard for Grafana, with its variables put in. */
async function queriesOfDashboard(): Promise<string[]> {
	const { panels } = JSON.parse(await readFile('deploy/grafana/dashboard.json', 'utf8')) as {
		panels: { targets: { expr: string }[] }[];
	};
	return panels.flatMap(({ targets }) =>
		targets.map(({ expr }) =>
			expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*')
		)
	);
}

test.skipIf(isMissing)(
	`a real Prometheus (Debian's package prometheus) scrapes with our example, and answers the queries of our dashboard`,
	async () => {
		const dashboard = await dashboardWith({ METRICS_TOKEN: TOKEN });
		await power(await signedIn(dashboard), 'start');
		const ask = await startPrometheus(dashboard.url);
		const running = await eventually(
			() => ask('craftwarden_server_state{state="running"} == 1 and on(instance) minecraft_tps'),
			(found) => found?.length === 1,
			40_000
		);
		expect(running![0]!.metric).toMatchObject({ job: 'craftwarden' });
		expect(await ask('up{job="craftwarden"}')).toMatchObject([{ value: [expect.anything(), '1'] }]);
		for (const query of await queriesOfDashboard()) await ask(query);

		const text = await (
			await new Visitor(dashboard).fetch('/metrics', {
				headers: { authorization: `Bearer ${TOKEN}` }
			})
		).text();
		const { status, stdout } = spawnSync('promtool', ['check', 'metrics'], {
			input: text,
			encoding: 'utf8'
		});
		expect([0, 3], stdout).toContain(status); // 3: remarks, no errors
	},
	90_000
);
