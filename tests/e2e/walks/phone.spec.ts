import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { ADMIN } from '../../harness.ts';
import { startGame } from '../game.ts';
import { comesToRest, expect, noSidewaysScroll, ready, signIn, test } from '../fixtures.ts';

test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

const more = (page: Page) => page.locator('nav summary', { hasText: 'More' });
const sheet = (page: Page) => page.getByRole('dialog', { name: 'More places' });

/** Where each row of the sheet stands: its top, its height and its left edge. */
const rows = (page: Page) =>
	sheet(page)
		.locator('a, form button, .account button')
		.locator('visible=true')
		.evaluateAll((all) =>
			all.map((one) => {
				const { top, height, left } = one.getBoundingClientRect();
				return { top: Math.round(top), height: Math.round(height), left: Math.round(left) };
			})
		);
async function isEven(page: Page, columns: number) {
	await expect(sheet(page)).toBeVisible();
	const all = await rows(page);
	expect(new Set(all.map(({ height }) => height)).size).toBe(1);
	expect(new Set(all.map(({ left }) => left)).size).toBe(columns);
	// Two that stand beside each other stand at the same height.
	const tops = [...new Set(all.map(({ top }) => top))].sort((a, b) => a - b);
	for (const [i, top] of tops.entries()) if (i) expect(top - tops[i - 1]!).toBeGreaterThan(40);
}

test('More is a sheet that a press outside, Escape, Back and its own button close, with the focus inside', async ({
	page
}) => {
	await signIn(page);
	await page.goto('/admin/players');
	await page.goto('/admin');
	await ready(page);
	const start = page.getByRole('button', { name: 'Start' }).first();
	const open = async () => {
		await more(page).tap();
		await expect(sheet(page)).toBeVisible();
		expect(await sheet(page).evaluate((one) => one.matches(':modal'))).toBe(true);
	};
	const isClosed = async () => {
		await expect(sheet(page)).toBeHidden();
		await expect(more(page)).toBeFocused();
		await expect(page).toHaveURL(/\/admin$/);
	};
	await open();
	// What lies behind is dimmed and cannot be pressed.
	const { x, y } = (await start.boundingBox())!;
	const hit = ([x, y]: [number, number]) => document.elementFromPoint(x, y)?.tagName;
	expect(await page.evaluate(hit, [x + 8, y + 8] as [number, number])).toBe('DIALOG');
	for (let i = 0; i < 20; i++) {
		await page.keyboard.press('Tab');
		const outside = await page.evaluate(() => {
			const at = document.activeElement;
			// On the way round, nothing has it.
			return at === null || at.contains(document.body) || at.matches('dialog, dialog *')
				? null
				: at.outerHTML;
		});
		expect(outside).toBeNull();
	}
	await page.touchscreen.tap(195, 60);
	await isClosed();
	await open();
	await page.keyboard.press('Escape');
	await isClosed();
	await open();
	await sheet(page).getByRole('button', { name: 'Close' }).tap();
	await isClosed();
	await open();
	await page.goBack();
	await isClosed();
	// Where More is, a second press closes it too.
	await open();
	await page.touchscreen.tap(351, 820);
	await isClosed();

	// None of that is left in the history, and neither is the sheet when it has led elsewhere.
	await open();
	await sheet(page).getByRole('link', { name: 'Backups' }).tap();
	await expect(page.getByRole('heading', { level: 1, name: 'Backups' })).toBeVisible();
	await expect(sheet(page)).toBeHidden();
	await page.goBack();
	await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
	await page.goBack();
	await expect(page).toHaveURL(/\/admin\/players$/);
});

test('what is opened before the script has come stays open', async ({ page }) => {
	await signIn(page);
	let go = () => {};
	const opened = new Promise<void>((resolve) => (go = resolve));
	await page.route('**/_app/**/*.js', async (route) => {
		await opened;
		await route.continue();
	});
	await page.goto('/admin/analytics', { waitUntil: 'commit' });
	const range = page.getByLabel('From', { exact: true });
	await page.getByText('Custom range').tap();
	await more(page).tap();
	await expect(sheet(page)).toBeVisible();
	go();
	await ready(page);
	await expect.poll(() => sheet(page).evaluate((one) => one.matches(':modal'))).toBe(true);
	await page.keyboard.press('Escape');
	await expect(sheet(page)).toBeHidden();
	await expect(range).toBeVisible();
	await page.getByText('Custom range').tap();
	await expect(range).toBeHidden();
});

test('its rows are even, in groups, and the account is at its end, for both roles and on its side', async ({
	page
}) => {
	await signIn(page);
	for (const [width, height, columns] of [
		[390, 844, 2],
		[320, 568, 2],
		[844, 390, 4]
	] as const) {
		await page.setViewportSize({ width, height });
		await page.goto('/admin');
		await ready(page);
		await more(page).tap();
		await isEven(page, columns);
		await expect(sheet(page).getByRole('heading', { level: 3 })).toHaveText([
			...['Records', 'Upkeep', 'Setup']
		]);
		const who = (await sheet(page).getByText('ada · superadmin').boundingBox())!;
		const last = (await sheet(page).getByRole('link', { name: 'Public page' }).boundingBox())!;
		const out = sheet(page).getByRole('button', { name: /^Log out/ });
		if (width > height) {
			// Beside its places, and all of it is in sight.
			expect(last.x).toBeGreaterThanOrEqual(who.x + who.width);
		} else {
			expect(last.y).toBeGreaterThanOrEqual(who.y + who.height);
			// It scrolls inside itself.
			await out.scrollIntoViewIfNeeded();
		}
		await expect(out).toBeInViewport({ ratio: 0.95 });
		await noSidewaysScroll(page);
	}
	// Otherwise it goes to the login by itself, and what is opened next is called off.
	await page.goto('about:blank');
	await page.context().clearCookies();
	await signIn(page, ADMIN);
	await page.setViewportSize({ width: 390, height: 844 });
	await page.goto('/admin');
	await ready(page);
	await more(page).tap();
	await isEven(page, 2);
});

test('a phone on its side has the whole height: places at the side, and one low line for what is chosen', async ({
	page
}) => {
	await page.setViewportSize({ width: 844, height: 390 });
	await signIn(page);
	await page.goto('/admin/mods');
	await ready(page);
	await expect(page.locator('.rail')).toBeHidden();
	const places = (await page.locator('nav.bottom').boundingBox())!;
	expect(places).toMatchObject({ x: 0, y: 0, height: 390 });
	expect(places.width).toBeLessThanOrEqual(76);
	for (const place of await page.locator('nav.bottom > :is(a, details)').all()) {
		await expect(place).toBeInViewport({ ratio: 1 });
		expect((await place.boundingBox())!.height).toBeGreaterThanOrEqual(44);
	}
	const top = (await page.getByRole('banner').boundingBox())!;
	expect(top.x).toBe(places.width);
	expect(top.height).toBeLessThanOrEqual(48);
	// The button in the bar at the top keeps off its edges.
	const commands = (await page.getByRole('button', { name: /^Commands/ }).boundingBox())!;
	expect(commands.y - top.y).toBeGreaterThanOrEqual(3);
	expect(top.y + top.height - commands.y - commands.height).toBeGreaterThanOrEqual(3);
	await page.getByRole('link', { name: 'Select these 5' }).tap();
	await page.getByLabel('Search installed mods').fill('lithium');
	const bar = page.getByRole('group', { name: 'Selected mods' });
	await expect(bar).toContainText('5 selected, 4 not shown');
	expect((await bar.locator('.row').boundingBox())!.height).toBeLessThanOrEqual(56);
	await noSidewaysScroll(page);
});

test('the tabs of Players and of Mods share a line at 320 px', async ({ page }) => {
	await page.setViewportSize({ width: 320, height: 568 });
	await signIn(page);
	for (const name of ['Players', 'Mods']) {
		await page.goto(`/admin/${name.toLowerCase()}`);
		await ready(page);
		const tabs = page.locator(`main nav[aria-label="${name}"] > a`);
		const tops = await tabs.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
		expect(new Set(tops).size, name).toBe(1);
	}
	// One count alone stands beside its word.
	const [tab, count] = await page
		.locator('main nav[aria-label="Mods"] > a')
		.first()
		.evaluate((one) =>
			[one, one.querySelector('.count')!].map((box) => {
				const { top, bottom } = box.getBoundingClientRect();
				return (top + bottom) / 2;
			})
		);
	expect(Math.abs(tab! - count!)).toBeLessThan(4);
});

test('a phone sees the first mods that are found: the filters are folded until one is set', async ({
	page
}) => {
	await signIn(page);
	await page.goto('/admin/mods?tab=find');
	await ready(page);
	const category = page.getByLabel('Category');
	await expect(category).toBeHidden();
	const first = page.getByRole('list', { name: 'Found mods' }).getByRole('listitem').first();
	expect((await first.boundingBox())!.y).toBeLessThan(320);
	await page.getByText('Filters', { exact: true }).tap();
	await page.getByLabel('Sort by').selectOption('Most downloads');
	await expect(page).toHaveURL(/sort=downloads/);
	await page.reload();
	await expect(category).toBeVisible();
});

test('a search in the logs and its level are read in full, however narrow it is', async ({
	page,
	dashboard
}) => {
	const logs = path.join(dashboard.gameDir, 'logs');
	await mkdir(logs, { recursive: true });
	await writeFile(path.join(logs, 'latest.log'), '[12:00:00] [Server thread/WARN]: Enderman\n');
	await signIn(page);
	/** How much wider than its words a field is. */
	const room = (label: string) =>
		page.getByLabel(label, { exact: true }).evaluate((one) => {
			const field = one as HTMLInputElement | HTMLSelectElement;
			const words = 'options' in field ? field.selectedOptions[0]!.text : field.value;
			const { font, paddingLeft, paddingRight } = getComputedStyle(field);
			const pen = document.createElement('canvas').getContext('2d')!;
			pen.font = font;
			const taken = parseFloat(paddingLeft) + parseFloat(paddingRight);
			return field.clientWidth - taken - pen.measureText(words.trim()).width;
		});
	for (const width of [320, 390]) {
		await page.setViewportSize({ width, height: 844 });
		await page.goto('/admin/logs?q=Enderman&level=WARN,ERROR,FATAL');
		await ready(page);
		expect(await room('Find text'), `${width} px`).toBeGreaterThan(20);
		// Its arrow has some.
		expect(await room('Level'), `${width} px`).toBeGreaterThan(22);
		await noSidewaysScroll(page);
	}
	// At 400 % too.
	await page.setViewportSize({ width: 320, height: 200 });
	expect(await room('Find text')).toBeGreaterThan(0);
	// What was searched for is taken away by emptying the field.
	await page.getByLabel('Find text').fill('');
	await expect(page).toHaveURL(/q=&/);
});

test('at 400 % a chat shows messages without being scrolled to', async ({ page, dashboard }) => {
	await startGame(dashboard);
	await signIn(page);
	await page.setViewportSize({ width: 320, height: 200 });
	await page.goto('/admin/chat');
	await ready(page);
	await expect(page.getByRole('heading', { level: 1 })).toHaveText('Chat');
	const log = (await page.getByRole('log', { name: 'Chat' }).boundingBox())!;
	const field = (await page.getByLabel('Message to everybody in the game').boundingBox())!;
	expect(field.y - log.y).toBeGreaterThanOrEqual(60);
});

test('that the page keeps up with the server is said, in words that are not about the server', async ({
	page
}) => {
	await signIn(page);
	for (const width of [320, 390, 844]) {
		await page.setViewportSize({ width, height: 844 });
		const word = page.getByRole('banner').getByText(/in sync/i);
		await expect(word.locator('visible=true').last()).toBeInViewport({ ratio: 1 });
		expect((await word.last().boundingBox())!.width).toBeGreaterThan(10);
	}
	// Beside the longest word for its state and all its numbers, too: the numbers give way.
	await page.setViewportSize({ width: 320, height: 844 });
	const banner = page.getByRole('banner');
	await banner.getByText('Stopped', { exact: true }).evaluate((one) => {
		one.textContent = 'Not responding';
	});
	const live = banner.getByText('In sync', { exact: true }).last();
	await expect(live).toBeInViewport({ ratio: 1 });
	// What says nothing is left out.
	await expect(banner).not.toContainText('–');
});

test.describe('without JavaScript', () => {
	test.use({ javaScriptEnabled: false });

	test('More dims what it covers, a press there closes it, and its rows are even', async ({
		page
	}) => {
		await signIn(page);
		await comesToRest(page);
		await more(page).tap();
		await expect(sheet(page)).toBeVisible();
		await isEven(page, 2);
		await page.touchscreen.tap(195, 60);
		await expect(sheet(page)).toBeHidden();
		await expect(page).toHaveURL(/\/admin$/);
		await more(page).tap();
		await page.getByText('Close', { exact: true }).tap();
		await expect(sheet(page)).toBeHidden();
		await expect(more(page)).toBeVisible();
	});
});

test('a line of the log is linked by a finger, and what a row has no room for is said', async ({
	page,
	dashboard
}) => {
	await startGame(dashboard);
	await page.setViewportSize({ width: 390, height: 844 });
	await signIn(page);
	await page.goto('/admin/logs');
	await ready(page);
	const time = page.getByRole('link', { name: /^Link to this line/ }).last();
	expect(await time.evaluate((one) => getComputedStyle(one, '::after').height)).toBe('44px');
	await page.setViewportSize({ width: 1280, height: 800 });
	expect((await time.boundingBox())!.height).toBeGreaterThanOrEqual(24);
	await page.setViewportSize({ width: 320, height: 844 });
	await page.goto('/admin/players?tab=online');
	const hint = page.getByText('Press a name to see every action.');
	await expect(hint).toBeVisible();
	// Beside one button it says where the others are, and beside all of them what is seen.
	for (const width of [360, 390, 1280]) {
		await page.setViewportSize({ width, height: 844 });
		await expect(page.getByRole('button', { name: /^Kick: / }).first()).toBeVisible();
		await expect(hint).toBeVisible({ visible: width < 720 });
	}
});
