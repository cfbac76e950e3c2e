import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

const read = (file: string) => readFile(file, 'utf8');
type Target = { expr: string; refId: string };
type Panel = { id: number; type: string; title: string; gridPos: object; targets: Target[] };

test('the Grafana dashboard shows existing metrics, each panel once', async () => {
	const { panels, schemaVersion, templating } = JSON.parse(
		await read('deploy/grafana/dashboard.json')
	) as { panels: Panel[]; schemaVersion: number; templating: { list: { name: string }[] } };
	expect(schemaVersion).toBeGreaterThan(30);
	expect(templating.list.map(({ name }) => name)).toEqual(['datasource', 'instance']);
	expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
	const source = await read('src/lib/server/services/exporter/index.ts');
	const used = panels.flatMap(({ targets }) =>
		targets.flatMap(({ expr }) => expr.match(/\b(?:minecraft|craftwarden)_\w+/g) ?? [])
	);
	expect(used.length).toBeGreaterThanOrEqual(panels.length);
	for (const name of used) expect(source, name).toContain(`'${name}'`);
});
