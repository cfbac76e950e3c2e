import { processesIn } from '../harness.ts';
import { expect, noSidewaysScroll, ready, signIn, state, test } from './fixtures.ts';

for (const [name, viewport] of [
	['a desktop', { width: 1280, height: 800 }],
	['a phone', { width: 390, height: 844 }]
] as const) {
	test.describe(`on ${name}`, () => {
		test.use({ viewport });

		test('Start is watched live, Restart and Stop ask first', async ({ page, dashboard }) => {
			const streams: string[] = [];
			page.on('request', (request) => {
				if (request.url().endsWith('/api/events')) streams.push(request.url());
			});
			await signIn(page);
			await ready(page);
			await expect(state(page)).toHaveText(/Stopped/);
			await noSidewaysScroll(page);
			await page.getByRole('button', { name: 'Start', exact: true }).click();
			await expect(state(page)).toHaveText(/Starting/);
			await expect(state(page)).toHaveText(/Running/);
			const [before] = await processesIn(dashboard.gameDir);
			expect(before).toBeDefined();
			await expect(page.getByRole('button', { name: 'Start', exact: true })).toBeDisabled();

			const restart = page.getByRole('button', { name: 'Restart', exact: true });
			await expect(restart).toBeEnabled();
			await restart.press('Enter');
			const dialog = page.getByRole('dialog');
			await expect(dialog).toContainText(/restart/i);
			// Nobody may have joined yet, and then there is nothing to choose.
			const first = dialog.getByLabel('When').or(dialog.getByRole('button', { name: 'Cancel' }));
			await expect(first.and(page.locator(':focus'))).toBeVisible();
			await page.keyboard.press('Escape');
			await expect(dialog).toBeHidden();
			await expect(restart).toBeFocused();
			await expect(state(page)).toHaveText(/Running/);
			await page.getByRole('button', { name: 'Restart', exact: true }).click();
			await dialog.getByRole('button', { name: /Restart/ }).click();
			await expect(state(page)).not.toHaveText(/Running/);
			// Until it has begun to stop, it may be told to be running once more.
			await expect.poll(() => processesIn(dashboard.gameDir)).not.toContain(before);
			await expect(restart).toBeEnabled();
			await expect(state(page)).toHaveText(/Running/);

			await page.getByRole('button', { name: 'Stop', exact: true }).click();
			await dialog.getByRole('button', { name: /Stop/ }).click();
			await expect(state(page)).toHaveText(/Stopped/);
			expect(await processesIn(dashboard.gameDir)).toEqual([]);
			expect(streams).toHaveLength(1);
			await noSidewaysScroll(page);
		});
	});
}

test('an operation has its own page that follows it to the end', async ({ page }) => {
	await signIn(page);
	await ready(page);
	await page.getByRole('button', { name: 'Start', exact: true }).click();
	await page.locator('main a[href^="/admin/operations/"]').first().click();
	await expect(page).toHaveURL(/\/admin\/operations\//);
	await expect(page.getByText('Wait until it is ready').first()).toBeVisible();
	await expect(page.getByText(/succeeded|The server runs|is running/i).first()).toBeVisible();
	await page.goto('/admin');
	await page.getByRole('button', { name: 'Stop', exact: true }).click();
	await page.getByRole('dialog').getByRole('button', { name: /Stop/ }).click();
	await expect(state(page)).toHaveText(/Stopped/);
});

test('the page says how old its numbers are when the dashboard is gone', async ({
	page,
	dashboard
}) => {
	await signIn(page);
	await ready(page);
	await expect(page.getByRole('banner')).toContainText('Live');
	await dashboard.kill('SIGKILL');
	await expect(page.getByRole('banner')).toContainText(/Last update \d\d:\d\d/, {
		timeout: 20_000
	});
	await expect(state(page)).toHaveText('Not known');
	const card = page.getByRole('region', { name: 'Server status' });
	await expect(card.getByText(/^At \d\d:\d\d:\d\d: stopped\. /)).toBeVisible();
	await expect(card.getByText('Checked')).toHaveCount(0);
	// Nothing can be done until it answers again; a press says why.
	await card.getByRole('button', { name: 'Start', exact: true }).click({ force: true });
	await expect(page.getByText(/The dashboard cannot be reached. Nothing was sent/)).toBeVisible();
});
