import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Dashboard } from '../harness.ts';
import { expect, ready, signIn, state, test } from './fixtures.ts';

const fault = (dashboard: Dashboard, faults: Record<string, unknown>) =>
	writeFile(path.join(dashboard.gameDir, 'demo-faults.json'), JSON.stringify(faults));

test('a server that refuses to start says which mod is to blame, in the log’s own words', async ({
	page,
	dashboard
}) => {
	await fault(dashboard, { failWithMod: 'lithium' });
	await signIn(page);
	await ready(page);
	await page.getByRole('button', { name: 'Start', exact: true }).click();
	await expect(state(page)).toHaveText(/Crashed/);
	await expect(page.getByRole('main')).toContainText('Lithium');
	await page.locator('main a[href^="/admin/operations/"]').first().click();
	await expect(page.getByRole('main')).toContainText(/incompatible/i);
	await expect(page.getByRole('main')).toContainText('Lithium');
	await page.goto('/admin/activity');
	const row = page.getByRole('link', { name: 'Start server' }).locator('xpath=ancestor::li');
	await expect(row).toContainText('Lithium');
	await expect(row).not.toContainText('lithium');
});

test('a hanging server can be recognised and be killed by a superadmin', async ({
	page,
	dashboard
}) => {
	await fault(dashboard, { ignoreStop: true });
	await signIn(page);
	await ready(page);
	await page.getByRole('button', { name: 'Start', exact: true }).click();
	await expect(state(page)).toHaveText(/Running/);
	await page.getByRole('button', { name: 'Stop', exact: true }).click();
	await page.getByRole('dialog').getByRole('button', { name: /Stop/ }).click();
	await expect(state(page)).toHaveText(/Stopping/);
	await page.getByRole('button', { name: 'Kill', exact: true }).click();
	await expect(page.getByRole('dialog')).toContainText(/lost|unsaved|saved/i);
	await page.getByRole('dialog').getByRole('button', { name: /Kill/ }).click();
	await expect(state(page)).toHaveText(/Stopped|Crashed/);
	await fault(dashboard, {});
});
