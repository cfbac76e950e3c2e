import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { flaws, flawsInTheDark } from './axe.ts';
import { expect, noSidewaysScroll, ready, signIn, state, test } from '../fixtures.ts';
import { ADMIN_PAGES, addressOf, furnish, MISSING_PAGES, PUBLIC_PAGES } from '../pages.ts';

/** Side by side, each a part of the pages: one after another they take minutes. */
const PARTS = 3;

for (const [width, colorScheme] of [
	[390, 'light'],
	[1280, 'dark']
] as const) {
	test.describe(`at ${width} px`, () => {
		test.use({ viewport: { width, height: 844 } });
		test.setTimeout(400_000);

		async function check(page: Page, target: string) {
			await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
			await page.goto(target);
			await ready(page);
			const found = await flaws(page);
			// The dark theme is the same at every width.
			if (colorScheme === 'light') found.push(...(await flawsInTheDark(page)));
			expect(found, target).toEqual([]);
			await noSidewaysScroll(page);
			await expect(page).toHaveTitle(/.+/);
		}

		test('every page for visitors is accessible and fits', async ({ page }) => {
			for (const target of [...PUBLIC_PAGES, MISSING_PAGES[0]!]) await check(page, target);
		});

		for (let part = 0; part < PARTS; part++)
			test(`every page is accessible and fits, ${part + 1} of ${PARTS}`, async ({
				page,
				dashboard
			}) => {
				await signIn(page);
				const facts = await furnish(dashboard);
				for (const [i, target] of [...ADMIN_PAGES, ...MISSING_PAGES].entries())
					if (i % PARTS === part) await check(page, addressOf(target, facts));
			});

		test('what a crash leaves is accessible and fits', async ({ page, dashboard }) => {
			await signIn(page);
			await writeFile(
				path.join(dashboard.gameDir, 'demo-faults.json'),
				JSON.stringify({ failWithMod: 'lithium' })
			);
			await page.goto('/admin');
			await ready(page);
			await page.getByRole('button', { name: 'Start', exact: true }).click();
			await expect(state(page)).toHaveText(/Crashed/);
			await check(page, '/admin');
			await page.locator('main a[href^="/admin/operations/"]').first().click();
			await expect(page).toHaveURL(/\/admin\/operations\//);
			await check(page, new URL(page.url()).pathname);
		});
	});
}

test('the skip link is first and leads to the main content', async ({ page }) => {
	await page.goto('/');
	await ready(page);
	await page.keyboard.press('Tab');
	const skip = page.getByRole('link', { name: /skip/i });
	await expect(skip).toBeFocused();
	await expect(skip).toBeInViewport();
	await page.keyboard.press('Enter');
	await expect(page.locator('#main')).toBeFocused();
});

test('the theme is chosen by hand and kept without a flash', async ({ page }) => {
	await signIn(page);
	await ready(page);
	await page.getByRole('button', { name: /Theme/ }).click();
	const chosen = await page.evaluate(() => document.documentElement.dataset['theme']);
	expect(chosen).toMatch(/light|dark/);
	await page.addInitScript(() => {
		addEventListener('DOMContentLoaded', () => {
			(globalThis as unknown as { first: unknown }).first =
				document.documentElement.dataset['theme'];
		});
	});
	await page.reload();
	expect(await page.evaluate(() => (globalThis as unknown as { first: unknown }).first)).toBe(
		chosen
	);
});
