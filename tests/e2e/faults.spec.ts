import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { unseenServer } from '../fakes/game/unseen-server.ts';
import type { Dashboard } from '../harness.ts';
import { atOnce, expect, ready, signIn, state, test } from './fixtures.ts';
import { startGame } from './game.ts';

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

/** A server that runs, and does not end when it is told to. */
async function startIgnoringStop(page: Page, dashboard: Dashboard) {
	await fault(dashboard, { ignoreStop: true });
	await signIn(page);
	await ready(page);
	await page.getByRole('button', { name: 'Start', exact: true }).click();
	await expect(state(page)).toHaveText(/Running/);
}

test('a hanging server can be recognised and be killed by a superadmin', async ({
	page,
	dashboard
}) => {
	await startIgnoringStop(page, dashboard);
	await page.getByRole('button', { name: 'Stop', exact: true }).click();
	await atOnce(page);
	await page.getByRole('dialog').getByRole('button', { name: /Stop/ }).click();
	await expect(state(page)).toHaveText(/Stopping/);
	await page.getByRole('button', { name: 'Kill', exact: true }).click();
	await expect(page.getByRole('dialog')).toContainText(/lost|unsaved|saved/i);
	await page.getByRole('dialog').getByRole('button', { name: /Kill/ }).click();
	await expect(state(page)).toHaveText(/Stopped|Crashed/);
	await fault(dashboard, {});
});

test('a restart that needs a kill is announced by its question, and is no plain success', async ({
	page,
	dashboard
}) => {
	await startIgnoringStop(page, dashboard);
	await fault(dashboard, {});
	await page.getByRole('button', { name: 'Restart', exact: true }).click();
	await atOnce(page);
	await page
		.getByRole('dialog')
		.getByRole('button', { name: /Restart/ })
		.click();
	await expect(state(page)).toHaveText(/Stopping/);
	await page.getByRole('button', { name: 'Kill', exact: true }).click();
	const question = page.getByRole('dialog');
	await expect(question).toContainText(
		'“Restart server” is in progress. It goes on: the server is started again right after the kill.'
	);
	await question.getByRole('button', { name: 'Kill and start again' }).click();
	const toast = page.locator('[data-sonner-toast]').filter({ hasText: 'was killed' });
	await expect(toast).toHaveAttribute('data-type', 'success');
	await expect(state(page)).toHaveText(/Running/, { timeout: 20_000 });
	await page.getByRole('region', { name: 'Last operation' }).getByRole('link').first().click();
	const ending = page.locator('main .ending');
	await expect(ending).toContainText('The server was killed and started again, as ada asked.');
	await expect(ending).toContainText('What it had not saved is lost.');
	await expect(page.getByRole('main')).not.toContainText('Succeeded');
});

test('what is advised on the overview asks in the same dialog as the controls', async ({
	page,
	dashboard
}) => {
	await signIn(page);
	await ready(page);
	await page.getByRole('button', { name: 'Start', exact: true }).click();
	await expect(state(page)).toHaveText(/Running/);
	// The game keeps the old one until it is restarted.
	const properties = path.join(dashboard.gameDir, 'server.properties');
	const text = await readFile(properties, 'utf8');
	await writeFile(properties, text.replace(/rcon.password=.*/, 'rcon.password=changed'));
	await dashboard.kill('SIGKILL');
	await dashboard.again({ PORT: new URL(dashboard.url).port });
	await page.goto('/admin');
	await ready(page);
	const advised = page.getByRole('link', { name: /^Restart the server/ });
	await expect(advised).toBeVisible({ timeout: 70_000 });
	await advised.click();
	await expect(page.getByRole('dialog')).toContainText('Restart the server?');
	await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
	await expect(page).toHaveURL(/\/admin$/);
	await expect(advised).toBeFocused();
});

test.describe('a server whose process is not to be seen', () => {
	test.use({
		env: async ({ browserName: _ }, use) => {
			const server = await unseenServer();
			await use(server.env);
			await server.close();
		}
	});

	test('is looked for again when that is pressed, which is told where nothing has changed', async ({
		page
	}) => {
		await signIn(page);
		await ready(page);
		const again = page.getByRole('link', { name: /^Check again ?: The server runs where/ });
		await again.click();
		await expect(page.getByText('Checked again: this is still so.')).toBeVisible();
		await expect(again).toBeFocused();
	});

	test('has the lines for whoever meant something else to run it', async ({ page }) => {
		await signIn(page);
		const wrong = page.getByRole('list', { name: 'What is wrong' });
		const unit = wrong.getByText('RUNTIME=systemd');
		await expect(unit).toBeHidden();
		await wrong.getByText('If something else is meant to keep running it').click();
		await expect(unit).toContainText('SYSTEMD_UNIT=');
		await expect(wrong.getByRole('button', { name: 'Copy lines' })).toHaveCount(2);
		await expect(wrong.getByText('RUNTIME=keeper')).toContainText('KEEPER_DIR=');
	});
});

test('the list of mods learns of a crash while it is open, and which mod it names', async ({
	page,
	dashboard
}) => {
	await signIn(page);
	await fault(dashboard, { dieWithMod: 'lithium', dieAfterReadyMs: 10_000 });
	await startGame(dashboard);
	await page.goto('/admin/mods');
	await ready(page);
	await expect(page.locator('main')).toContainText(
		'The server is down, probably because of Lithium.',
		{ timeout: 60_000 }
	);
});
