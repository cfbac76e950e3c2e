import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { GrafanaDashboard } from '../../../../../tests/fakes/grafana-model.ts';

const read = (file: string) => readFile(file, 'utf8');
const dashboard = async () =>
	GrafanaDashboard.parse(JSON.parse(await read('deploy/grafana/dashboard.json')));

test('the dashboard is valid for Grafana, whatever its data source is called', async () => {
	const { panels, templating, __requires } = await dashboard();
	expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
	expect(templating.list.map(({ name }) => name)).toEqual(['datasource', 'instance']);
	const used = panels.flatMap(({ datasource, targets }) => [
		...[datasource, ...targets.map((one) => one.datasource)]
	]);
	for (const one of used) expect(one).toEqual({ type: 'prometheus', uid: '${datasource}' });
	for (const { targets } of panels)
		expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
	expect(__requires.map(({ type, id }) => `${type} ${id}`)).toEqual(
		expect.arrayContaining(['grafana grafana', 'datasource prometheus'])
	);
});

test('no panel overlaps another', async () => {
	const cells = (await dashboard()).panels.flatMap(({ gridPos: { x, y, w, h } }) =>
		Array.from({ length: w * h }, (_, i) => `${x + (i % w)} ${y + Math.floor(i / w)}`)
	);
	expect(new Set(cells).size).toBe(cells.length);
});

test('each panel shows existing metrics, of the chosen server', async () => {
	const { panels } = await dashboard();
	const source = await read('src/lib/server/services/exporter/index.ts');
	for (const { title, targets } of panels)
		for (const { expr } of targets) {
			const names = expr.match(/\b(?:minecraft|craftwarden)_\w+/g) ?? [];
			expect(names.length, title).toBeGreaterThan(0);
			for (const name of names) expect(source, title).toContain(`'${name}'`);
			expect(expr, title).toContain('{instance=~"$instance"}');
		}
});
