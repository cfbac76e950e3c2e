import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, ready, signIn, state, test } from './fixtures.ts';

for (const width of [390, 1280])
	test(`a press while the connection is lost stays on the page, and everything recovers by itself, at ${width} px`, async ({
		page,
		dashboard
	}) => {
		await page.setViewportSize({ width, height: 844 });
		// Without a log there is nothing to search.
		const logs = path.join(dashboard.gameDir, 'logs');
		await mkdir(logs, { recursive: true });
		await writeFile(path.join(logs, 'latest.log'), '[12:00:00] [Server thread/INFO]: hello\n');
		await signIn(page);
		await page.goto('/admin/logs');
		await ready(page);
		await expect(page.getByRole('banner')).toContainText('Page in sync');
		const typed = page.getByLabel('Find text');
		await dashboard.kill('SIGKILL');
		const said = page.getByText(/The dashboard cannot be reached, so nothing was sent/);

		const old = page.getByText(/Disconnected since \d\d:\d\d:\d\d\. Reconnecting …/);
		await expect(old).toBeInViewport({ timeout: 20_000 });
		await expect(page.getByRole('banner')).toContainText(/Last update \d\d:\d\d/);
		// What is searched for as it is typed asks as a press does.
		await typed.fill('half a wor');
		await expect(said).toBeVisible();
		const players = page.getByRole('link', { name: 'Players' }).locator('visible=true').first();
		await expect(players).toBeDisabled();
		await players.click({ force: true });
		const closed = page.getByText('The page cannot be opened while the connection is lost.');
		await expect(closed).toBeInViewport();
		await expect(said).toBeHidden();
		// That the connection is lost is still said, and nothing lies on the heading.
		await expect(old).toBeInViewport();
		const heading = (await page.getByRole('heading', { level: 1 }).boundingBox())!;
		const answer = (await closed.boundingBox())!;
		expect(answer.y).toBeGreaterThan(heading.y + heading.height);
		// A form that asks, and one that changes something and that no script sends.
		await typed.press('Enter');
		if (width < 720) await page.getByText('More', { exact: true }).click();
		const out = page.getByRole('button', { name: /^Log out/ }).locator('visible=true');
		await out.click({ force: true });
		await expect(page).toHaveURL(/\/admin\/logs$/);
		await expect(said).toBeVisible();
		await expect(typed).toHaveValue('half a wor');

		const again = await dashboard.again({ PORT: new URL(dashboard.url).port });
		await expect(said).toBeHidden({ timeout: 20_000 });
		await expect(old).toHaveCount(0, { timeout: 20_000 });
		await expect(typed).toHaveValue('half a wor');
		await expect(page).toHaveURL(/\/admin\/logs$/);
		await out.click();
		await page.waitForURL(dashboard.url + '/');
		await again.kill();
	});

test('a page whose stream never came is as of its load once the dashboard is gone', async ({
	page,
	dashboard
}) => {
	await page.route('**/api/events', (route) => route.abort());
	await signIn(page);
	await ready(page);
	const lost = page.getByText(/Disconnected since \d\d:\d\d:\d\d/);
	await expect(page.getByRole('banner')).toContainText(/Last update/, { timeout: 10_000 });
	// Only the stream is missing: what can be pressed still works.
	await expect(lost).toHaveCount(0);
	await expect(state(page)).toHaveText('Stopped');
	await dashboard.kill('SIGKILL');
	await expect(lost).toBeVisible({ timeout: 20_000 });
	await expect(state(page)).toHaveText('Not known');
});

test('while the connection is lost no page offers what needs the dashboard, and then all is as before', async ({
	page,
	dashboard
}) => {
	await page.setViewportSize({ width: 1280, height: 844 });
	await signIn(page);
	await page.goto('/admin/players?tab=whitelist');
	await ready(page);
	await expect(page.getByRole('banner')).toContainText('Page in sync');
	const typed = page.getByRole('searchbox', { name: 'Search players' });
	const remove = page.getByRole('button', { name: /^Remove/ }).first();
	const theme = page.getByRole('button', { name: /^Theme/ }).locator('visible=true');
	const asked = page.getByRole('dialog');
	await typed.fill('e');
	await expect(remove).toBeEnabled();
	await dashboard.kill('SIGKILL');
	await expect(remove).toBeDisabled({ timeout: 20_000 });
	await expect(page.getByRole('link', { name: 'Whitelist' })).toBeDisabled();
	await expect(theme).toBeEnabled();
	await remove.click({ force: true });
	await expect(page.getByText(/The dashboard cannot be reached/)).toBeVisible();
	// What comes meanwhile is no different.
	await typed.fill('');
	for (const one of await page.getByRole('button', { name: /^Remove/ }).all())
		await expect(one).toBeDisabled();
	await typed.fill('e');

	const again = await dashboard.again({ PORT: new URL(dashboard.url).port });
	await expect(remove).toBeEnabled({ timeout: 20_000 });
	await expect(page.locator('[aria-disabled="true"]')).toHaveCount(0);
	await expect(typed).toHaveValue('e');
	await expect(asked).toHaveCount(0);
	const all = page.getByRole('button', { name: /^Remove/ });
	const before = await all.count();
	await remove.click();
	await expect(all).toHaveCount(before - 1);
	await again.kill();
});

for (const width of [320, 390, 1280])
	test(`while the device is offline the server’s name stays, and a dashboard on it can still be used, at ${width} px`, async ({
		page,
		context
	}) => {
		await page.setViewportSize({ width, height: 844 });
		await signIn(page);
		await ready(page);
		const start = page.getByRole('button', { name: 'Start', exact: true });
		const place = (await start.boundingBox())!;
		await context.setOffline(true);
		await expect(page.getByText('You are offline. What you see may be old.')).toBeInViewport();
		await expect(page.locator('header .name')).toBeInViewport({ ratio: 1 });
		await expect(start).toBeEnabled();
		expect((await start.boundingBox())!.y).toBe(place.y);
	});
