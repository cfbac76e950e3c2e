import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, ready, signIn, test } from './fixtures.ts';

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
		await expect(page.getByRole('banner')).toContainText('Live');
		const typed = page.getByLabel('Find text');
		await typed.fill('half a wor');
		await dashboard.kill('SIGKILL');
		const said = page.getByText(/The dashboard cannot be reached. Nothing was sent/);

		const old = page.getByText('The dashboard does not answer. Trying to reconnect …');
		await expect(old).toBeInViewport({ timeout: 20_000 });
		await expect(page.getByRole('banner')).toContainText(/Last update \d\d:\d\d/);
		await page.getByRole('link', { name: 'Players' }).locator('visible=true').first().click();
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
		await out.click();
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
