import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Dashboard } from '../harness.ts';
import { flaws, flawsInTheDark } from './axe.ts';
import { expect, noSidewaysScroll, ready, signIn, test } from './fixtures.ts';

const MINUTE_MS = 60_000;

/** Two hours of a sample a minute, with a gap in the middle and a crash at its beginning. */
async function measure({ dataDir }: Dashboard) {
	const now = Date.now();
	const ages = Array.from({ length: 120 }, (_, i) => 120 - i).filter((age) => age < 50 || age > 70);
	const lines = ages.map((age) => ({
		...{ t: now - age * MINUTE_MS, ram: 2e9 + age * 1e6, cpu: age, players: age % 5 },
		...{ tps: 20, mspt: null }
	}));
	const text = (all: object[]) => all.map((line) => `${JSON.stringify(line)}\n`).join('');
	await writeFile(path.join(dataDir, 'metrics.jsonl'), text(lines));
	const t = new Date(now - 70 * MINUTE_MS).toISOString();
	await writeFile(
		path.join(dataDir, 'metric-events.jsonl'),
		text([{ t, kind: 'crash', label: 'Crashed' }])
	);
}

test('graphs that end now go on by themselves, and what is looked at stays', async ({
	page,
	dashboard
}) => {
	await measure(dashboard);
	await signIn(page);
	await page.clock.install();
	await page.goto('/admin/analytics?window=6h');
	await ready(page);
	const updated = page.getByText(/^Updated /);
	const ram = page.getByRole('region', { name: 'RAM' });
	await ram.evaluate((element) => Object.assign(element, { kept: true }));
	const before = await updated.textContent();
	// The server keeps its own answer for as long: what it will say later is made up of what it says now.
	await page.route('**/api/analytics?*', async (route) => {
		const response = await route.fetch();
		const answer = await response.json();
		const to = new Date(Date.parse(answer.to) + 5 * MINUTE_MS).toISOString();
		await route.fulfill({ response, json: { ...answer, to } });
	});
	await page.clock.fastForward(31_000);
	await expect(updated).not.toHaveText(before!);
	expect(await ram.evaluate((element) => 'kept' in element)).toBe(true);
	await page.unrouteAll({ behavior: 'wait' });

	await page.route('**/api/analytics?*', (route) => route.abort());
	await page.clock.fastForward(31_000);
	await expect(updated).toContainText('The dashboard does not answer.');
	await expect(ram.getByRole('img')).toBeVisible();
});

for (const width of [390, 1280])
	test(`graphs and their table are accessible with samples, a gap and a mark, at ${width} px`, async ({
		page,
		dashboard
	}) => {
		test.setTimeout(120_000);
		await page.setViewportSize({ width, height: 844 });
		await measure(dashboard);
		await signIn(page);
		for (const view of ['', '&view=table']) {
			await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
			await page.goto(`/admin/analytics?window=6h${view}`);
			await ready(page);
			if (view) await expect(page.getByText('Crashed')).toBeVisible();
			else await expect(page.getByRole('link', { name: /^Crashed, / })).toBeVisible();
			expect([...(await flaws(page)), ...(await flawsInTheDark(page))]).toEqual([]);
			await noSidewaysScroll(page);
		}
	});

test.describe('without JavaScript', () => {
	test.use({ javaScriptEnabled: false });

	test('the graphs are drawn, and told in a table', async ({ page, dashboard }) => {
		await measure(dashboard);
		await signIn(page);
		await page.goto('/admin/analytics?window=6h');
		await expect(page.getByRole('img', { name: /^RAM: from 2\.00 GB to/ })).toBeVisible();
		await expect(page.locator('.plot svg path').first()).toBeAttached();
		await page.getByRole('link', { name: 'Table' }).click();
		await expect(page.getByRole('columnheader')).toHaveText([
			...['From (UTC)', 'RAM', 'CPU', 'Players', 'TPS', 'MSPT', 'What happened']
		]);
		await expect(page.getByRole('cell', { name: '20.0' }).first()).toBeVisible();
	});
});
