import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { signedIn } from '../harness.ts';
import { expect, noSidewaysScroll, ready, signIn, test } from './fixtures.ts';

test('r, / and ? work, not while typing, not in a dialog, and not when switched off', async ({
	page
}) => {
	await signIn(page);
	await page.goto('/admin/players?tab=everyone');
	await ready(page);
	const asked: string[] = [];
	page.on('request', (request) => asked.push(request.url()));
	// Nothing else loads this page's data again.
	const refetches = () =>
		asked.filter((url) => /\/admin\/players\/__data\.json\?tab=everyone(&q=[^&]*)?&x-/.test(url))
			.length;
	const fresh = page.getByText('Everything on this page is up to date.');
	const sheet = page.getByText('Keyboard shortcuts', { exact: true });

	await page.keyboard.press('r');
	await expect(fresh.first()).toBeVisible();
	expect(asked.some((url) => url.endsWith('/api/players'))).toBe(true);
	expect(refetches()).toBe(1);

	await page.keyboard.press('?');
	await expect(sheet).toBeVisible();
	const list = page.locator('[data-sonner-toast] dl');
	await expect(list.locator('dt')).toHaveText([/Ctrl\s*K/, 'R', '/', 'G', '?']);
	await page.keyboard.press('?');
	await expect(sheet).toBeHidden();
	await page.keyboard.press('?');
	await expect(sheet).toBeVisible();
	await page.keyboard.press('Escape');
	await expect(sheet).toBeHidden();
	await page.keyboard.press('?');
	const more = page.getByRole('button', { name: 'All shortcuts' });
	// Like any other button, which the library's own style is not.
	await expect(more).toHaveCSS('font-size', '14px');
	expect((await more.boundingBox())!.height).toBe(36);
	await more.click();
	const all = page.getByRole('dialog', { name: 'All shortcuts' });
	await expect(all.locator('kbd').filter({ hasText: 'Esc' }).first()).toBeVisible();
	await expect(all).toContainText('Load this page’s data again');
	await page.keyboard.press('Escape');
	await expect(all).toBeHidden();
	await expect(sheet).toBeHidden();

	await page.keyboard.press('g');
	await page.keyboard.press('m');
	await expect(page).toHaveURL(/\/admin\/mods$/);
	await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
	await page.goto('/admin/players?tab=everyone');
	await ready(page);
	await page.keyboard.press('/');
	const search = page.getByRole('searchbox');
	await expect(search).toBeFocused();
	await page.keyboard.type('r/?gm');
	await expect(search).toHaveValue('r/?gm');
	await expect(sheet).toBeHidden();
	expect(refetches()).toBe(1);
	await expect(page).toHaveURL(/\/admin\/players/);
	// With Ctrl nothing is typed: the palette opens from a field as well, and its letters stay its own.
	await page.keyboard.press('Control+k');
	const palette = page.getByRole('dialog', { name: 'Command palette' });
	await expect(palette).toBeVisible();
	await page.keyboard.type('switch single');
	await expect(palette.locator('[aria-selected="true"]')).toContainText('single-key');
	await page.keyboard.press('Enter');
	await expect(palette).toBeHidden();
	await expect(search).toBeFocused();

	await page.evaluate(() => (document.activeElement as HTMLElement).blur());
	await page.keyboard.press('r');
	await page.keyboard.press('?');
	await page.keyboard.press('Control+k');
	await expect(palette.getByRole('combobox')).toBeFocused();
	await page.keyboard.type('keyboard shortcuts');
	await page.keyboard.press('Enter');
	await expect(sheet).toBeVisible();
	await expect(page.getByText('Single keys are switched off')).toBeVisible();
	expect(refetches()).toBe(1);
	await page.keyboard.press('Control+k');
	await expect(palette.getByRole('combobox')).toBeFocused();
	await page.keyboard.type('switch single');
	await page.keyboard.press('Enter');
	await expect(palette).toBeHidden();
	await page.keyboard.press('r');
	await expect.poll(refetches).toBe(2);

	await page.goto('/admin/players?tab=everyone');
	await ready(page);
	await page.getByRole('button', { name: /^Ban/ }).first().click();
	const dialog = page.getByRole('dialog');
	await expect(dialog).toBeVisible();
	await dialog.getByRole('button').last().focus();
	await page.keyboard.press('?');
	await page.keyboard.press('Control+k');
	await expect(sheet).toBeHidden();
	await expect(palette).toBeHidden();
});

/** What lies under the toast that is shown. */
const covered = (page: Page, what: string) =>
	page.evaluate((selector) => {
		const toast = document.querySelector('[data-sonner-toast]')!.getBoundingClientRect();
		const boxes = [...document.querySelectorAll(selector), document.activeElement!];
		return boxes
			.filter((one) => one !== document.body && one.checkVisibility())
			.filter((one) => {
				const { top, bottom, left, right } = one.getBoundingClientRect();
				return top < toast.bottom && bottom > toast.top && left < toast.right && right > toast.left;
			})
			.map((one) => one.outerHTML.slice(0, 80));
	}, what);

test('a toast covers no bar, no heading and nothing that has the focus, however large the window', async ({
	page
}) => {
	const bars =
		'.content > header, h1, [data-sticky], [data-at-bottom], main ~ nav, nav:has(> a + a)';
	await signIn(page);
	for (const [width, height] of [
		[320, 700],
		[390, 844],
		[480, 800],
		[844, 390],
		[1280, 800]
	] as const) {
		await page.setViewportSize({ width, height });
		for (const path of ['/admin/mods', '/admin/chat', '/admin']) {
			await page.goto(path);
			await ready(page);
			if (path === '/admin/mods') await page.getByRole('checkbox').first().check();
			else if (path === '/admin')
				// At the end of what can be seen.
				await page.evaluate((limit) => {
					const all = [...document.querySelectorAll<HTMLElement>('main a, main button')];
					const seen = all.filter((one) => {
						const { top, bottom, height } = one.getBoundingClientRect();
						return height > 0 && top > 0 && bottom < limit;
					});
					seen.at(-1)!.focus({ preventScroll: true });
				}, height - 60);
			await page.keyboard.press('r');
			const toast = page.locator('[data-sonner-toast][data-mounted="true"]').first();
			await expect(toast).toContainText('up to date');
			await expect.poll(() => covered(page, bars), `${width} × ${height}`).toEqual([]);
			await noSidewaysScroll(page);
		}
	}
});

test('on a phone a toast is low, and the last button of a page can be scrolled above it at any width', async ({
	page
}) => {
	await signIn(page);
	for (const [width, height] of [
		[320, 640],
		[390, 844],
		[1280, 800]
	] as const) {
		await page.setViewportSize({ width, height });
		await page.goto('/admin/settings');
		await ready(page);
		await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
		await page.keyboard.press('r');
		const toast = page.locator('[data-sonner-toast][data-mounted="true"]').first();
		await expect(toast).toContainText('up to date');
		await expect(toast).toHaveCSS('opacity', '1');
		await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
		await expect.poll(() => covered(page, 'main a, main button')).toEqual([]);
		expect((await toast.boundingBox())!.height).toBeLessThan(56);
	}
});

test('what leads on from a toast stands below its words, and nothing in it overlaps', async ({
	page,
	dashboard
}) => {
	await writeFile(
		path.join(dashboard.gameDir, 'demo-faults.json'),
		JSON.stringify({ failWithMod: 'lithium' })
	);
	const visitor = await signedIn(dashboard);
	await page.setViewportSize({ width: 390, height: 844 });
	await signIn(page);
	await page.goto('/admin/activity');
	await ready(page);
	await visitor.json('/api/server/start', {});
	const toast = page.locator('[data-sonner-toast][data-mounted="true"]');
	await expect(toast).toContainText('“Start server” failed');
	await expect(toast).toHaveCSS('opacity', '1');
	// It stays while the pointer rests on it.
	await toast.hover();
	for (const width of [390, 320, 1280]) {
		await page.setViewportSize({ width, height: 844 });
		// At once: it may be on its way to another place.
		const [words, more, close] = await toast.evaluate((all) =>
			['[data-title]', '[data-button]', '[data-close-button]'].map((what) =>
				all.querySelector(what)!.getBoundingClientRect().toJSON()
			)
		);
		expect(more.top).toBeGreaterThanOrEqual(words.bottom);
		expect(more.top).toBeGreaterThanOrEqual(close.bottom);
		expect(close.left).toBeGreaterThanOrEqual(words.right);
		const least = width < 720 ? 44 : 36;
		for (const target of [more, close]) {
			expect(target.height).toBeGreaterThanOrEqual(least);
			expect(target.width).toBeGreaterThanOrEqual(least);
		}
		if (width < 720) expect(words.width).toBeGreaterThan(width * 0.55);
	}
});
