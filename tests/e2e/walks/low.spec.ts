import type { Page } from '@playwright/test';
import { startGame } from '../game.ts';
import { expect, noSidewaysScroll, ready, settled, signIn, test } from '../fixtures.ts';

/** How much of the window's height can be seen of an element, between the bars. */
const share = (page: Page, name: string) =>
	page.getByLabel(name, { exact: true }).evaluate((element) => {
		const { top, bottom } = element.getBoundingClientRect();
		// One at the side takes none of the height.
		const edge = (selector: string, side: 'top' | 'bottom') => {
			const bar = document.querySelector(selector);
			const box = bar?.checkVisibility() ? bar.getBoundingClientRect() : null;
			return box && box.width > box.height ? box[side] : null;
		};
		const lowest = edge('nav[aria-label="Places"]:has(> details)', 'top') ?? innerHeight;
		const highest = Math.max(0, edge('.content > header', 'bottom') ?? 0);
		return (Math.min(bottom, lowest) - Math.max(top, highest)) / innerHeight;
	});
const scrolledTo = (page: Page, name: string) =>
	page.getByLabel(name, { exact: true }).evaluate((element) => element.scrollIntoView());

test('a log, a chat and a console have the window, however low it is', async ({
	page,
	dashboard
}) => {
	test.setTimeout(120_000);
	await signIn(page);
	await startGame(dashboard);
	const open = async (path: string, width: number, height: number) => {
		await page.setViewportSize({ width, height });
		await page.goto(path);
		await ready(page);
		await noSidewaysScroll(page);
	};
	await open('/admin/logs', 390, 844);
	expect(await share(page, 'Log lines')).toBeGreaterThan(0.6);
	// A phone on its side.
	await open('/admin/logs', 844, 390);
	expect(await share(page, 'Log lines')).toBeGreaterThan(0.6);
	for (const path of ['/admin/logs', '/admin/chat', '/admin/console']) {
		await open(path, 844, 390);
		expect(await page.evaluate(() => document.documentElement.scrollHeight), path).toBe(390);
	}
	// 1280 × 800 px at a zoom of 200 % and of 400 %: what stands above scrolls away.
	for (const [width, height] of [
		[640, 400],
		[320, 200]
	] as const) {
		await open('/admin/logs', width, height);
		await scrolledTo(page, 'Log lines');
		expect(await share(page, 'Log lines'), `${width} px`).toBeGreaterThan(0.5);
	}
	for (const [path, list, field] of [
		['/admin/chat', 'Chat', 'Message to everybody in the game'],
		['/admin/console', 'Answers', 'Command']
	] as const)
		for (const [width, height] of [
			[844, 390],
			[640, 400],
			[320, 200]
		] as const) {
			await open(path, width, height);
			await page.getByLabel(field).focus();
			await page.getByLabel(field).scrollIntoViewIfNeeded();
			await expect(page.getByLabel(field)).toBeInViewport({ ratio: 1 });
			await page.getByRole('log', { name: list }).evaluate((one) => one.scrollIntoView());
			const { height: high } = (await page.getByRole('log', { name: list }).boundingBox())!;
			expect(high, `${path} at ${width} px`).toBeGreaterThanOrEqual(90);
			await expect(page.getByLabel(field)).toBeInViewport({ ratio: 1 });
		}
});

test('at 400 % both bars scroll away with the page, and a dialog begins with its title', async ({
	page
}) => {
	await signIn(page);
	await page.setViewportSize({ width: 320, height: 200 });
	await page.goto('/admin/players?tab=everyone');
	await ready(page);
	const places = page.locator('nav.bottom');
	await expect(places).not.toBeInViewport();
	await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
	await expect(places).toBeInViewport({ ratio: 0.9 });
	await expect(page.getByRole('banner')).not.toBeInViewport();
	await places.getByText('More', { exact: true }).click();
	await expect(page.getByRole('heading', { name: 'More places' })).toBeInViewport({ ratio: 1 });
	await page.keyboard.press('Escape');
	await settled(page);
	await noSidewaysScroll(page);

	await page.goto('/admin/players?tab=bans');
	await ready(page);
	await page.locator('summary', { hasText: 'Ban a player' }).click();
	await page.getByLabel('Player name').fill('quietfox');
	await page.keyboard.press('Enter');
	const dialog = page.getByRole('dialog');
	await expect(dialog.getByLabel('Reason')).toBeFocused();
	await expect(dialog.getByRole('heading', { name: 'Ban quietfox?' })).toBeInViewport({ ratio: 1 });
});

test('on a phone on its side nothing of a dialog is cut by its buttons', async ({
	page,
	dashboard
}) => {
	await startGame(dashboard);
	await signIn(page);
	await page.setViewportSize({ width: 844, height: 390 });
	await page.goto('/admin');
	await ready(page);
	await page.getByRole('button', { name: /^Stop/ }).first().click();
	const dialog = page.getByRole('dialog');
	await dialog.getByText('Cancel').waitFor();
	// In one moment: somebody may join.
	const overlap = await dialog.evaluate((one) => {
		const buttons = one.querySelector('.form-buttons')!.getBoundingClientRect();
		const last = one.querySelector('form > :nth-last-child(2)')!.getBoundingClientRect();
		return last.bottom - buttons.top;
	});
	expect(overlap).toBeLessThanOrEqual(12);
});

test('More on a small phone on its side cuts no name, and fades over a row', async ({ page }) => {
	await signIn(page);
	await page.setViewportSize({ width: 568, height: 320 });
	await page.goto('/admin');
	await ready(page);
	await page.locator('nav.bottom summary').click();
	const sheet = page.getByRole('dialog', { name: 'More places' });
	const cut = await sheet
		.locator('a .clip, button .clip')
		.evaluateAll((all) =>
			all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)
		);
	expect(cut).toEqual([]);
	const edge = await sheet.evaluate((one) => one.getBoundingClientRect().bottom);
	const rows = await sheet.locator('a, form button').evaluateAll((all) =>
		all.map((one) => {
			const { top, bottom } = one.getBoundingClientRect();
			return [top, bottom] as const;
		})
	);
	// In the middle of where it fades.
	const fade = edge - 14;
	expect(rows.some(([top, bottom]) => top < fade && fade < bottom)).toBe(true);
});

test('only the buttons of a plan stay in a low window: what is in the way stands in the page', async ({
	page,
	dashboard
}) => {
	const visitor = await startGame(dashboard);
	await visitor.json('/api/server/restart', { delaySeconds: 600 });
	await signIn(page);
	for (const [width, height] of [
		[844, 390],
		[640, 400],
		[195, 422]
	] as const) {
		await page.setViewportSize({ width, height });
		await page.goto('/admin/mods/plan?do=update&all=1');
		await ready(page);
		// The browser returns to where the page was.
		await page.evaluate(() => scrollTo(0, 0));
		const bar = page.getByRole('group', { name: 'Decide' });
		const update = bar.getByRole('button', { name: /^Update/ });
		await expect(update).toBeInViewport({ ratio: 1 });
		// What is decided with it stands beside it, where that takes no height.
		const chosen = bar.getByText('With a backup of the world, tried on a copy first');
		if (width < 720) await expect(chosen).toBeHidden();
		else {
			await expect(chosen).toBeInViewport({ ratio: 1 });
			await expect(bar.getByRole('link', { name: 'Change' })).toBeInViewport();
			expect((await bar.locator('.row').boundingBox())!.height).toBeLessThanOrEqual(56);
		}
		await expect(bar.getByText(/^Restarts in \d+ min/)).not.toBeInViewport();
		// What stays leaves more than half of the window to the plan.
		const top = (await page.getByRole('banner').boundingBox())!;
		const row = (await bar.locator('.row').boundingBox())!;
		expect(row.y - top.y - top.height, `${width} px`).toBeGreaterThan(height / 2);
		// Further down only they stay, and the places.
		await page.evaluate(() => scrollTo(0, 200));
		await expect(page.getByRole('banner')).not.toBeInViewport();
		// A press in vain shows what is in the way.
		await update.click({ force: true });
		await expect(bar.getByRole('alert')).toBeInViewport({ ratio: 1 });
		await expect(update).toBeInViewport({ ratio: 1 });
		await noSidewaysScroll(page);
	}
});
