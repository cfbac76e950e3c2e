import type { Page } from '@playwright/test';
import type { Dashboard } from '../../harness.ts';
import { startGame } from '../game.ts';
import { expect, noSidewaysScroll, ready, signIn, test } from '../fixtures.ts';

/** A phone of 390 px whose page is enlarged to 150 % and to 200 %. */
const SIZES = [
	[260, 563],
	[195, 422]
] as const;

/** What can be pressed and lies on something else that can, or outside of the window or of its panel. */
const misplaced = () => {
	const box = (one: Element) => one.getBoundingClientRect();
	const words = (one: Element) =>
		(one.getAttribute('aria-label') ?? one.textContent ?? '').trim().replace(/\s+/g, ' ');
	const all = [
		...document.querySelectorAll('header :is(a, button), main :is(a, button, input, select)')
	].filter((one) => one.checkVisibility({ visibilityProperty: true }) && box(one).width > 2);
	const over = (a: DOMRect, b: DOMRect) =>
		Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
		Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
	const out = all.filter((one) => {
		const panel = one.closest('.panel, .card')?.getBoundingClientRect();
		return box(one).right > Math.min(innerWidth, panel?.right ?? innerWidth) + 1;
	});
	// What stays at an edge of the window lies on whatever is scrolled under it.
	const fixed = (one: Element) => one.closest('[data-sticky], .find form') !== null;
	const still = all.filter((one) => !fixed(one));
	const pairs = still.flatMap((one, i) =>
		still
			.slice(i + 1)
			.filter((other) => one.closest('header') === other.closest('header'))
			.filter((other) => !one.contains(other) && over(box(one), box(other)))
			.map((other) => `${words(one)} | ${words(other)}`)
	);
	// In the top bar what is read and what is pressed share one line.
	const bar = document.querySelector('.content > header')!;
	const facts = bar.querySelector('.facts')!.getBoundingClientRect();
	const pressed = [...bar.querySelectorAll('a, button')].filter((one) => over(box(one), facts));
	return [
		...out.map((one) => `out: ${words(one)}`),
		...pairs,
		...pressed.map((one) => `on the numbers: ${words(one)}`)
	];
};

/** Rows in which how it ended and when lie on each other. */
const heaped = () =>
	[...document.querySelectorAll('main li:has(> .badge)')]
		.filter((row) => {
			const [ended, when] = [...row.querySelectorAll(':scope > :is(.badge, .time)')].map((one) =>
				one.getBoundingClientRect()
			);
			return ended!.width > 0 && when!.top < ended!.bottom && when!.left < ended!.right;
		})
		.map((row) => row.textContent?.trim().slice(0, 40));

/** The narrowest name among what a list names. */
const narrowest = (selector: string) =>
	Math.min(
		...[...document.querySelectorAll(selector)].map((one) => one.getBoundingClientRect().width)
	);

test('nothing scrolls sideways and no control lies on another, however far a phone’s page is enlarged', async ({
	page,
	dashboard
}) => {
	test.setTimeout(120_000);
	await signIn(page);
	await startGame(dashboard);
	for (const [width, height] of SIZES) {
		await page.setViewportSize({ width, height });
		for (const target of ['/admin', '/admin/mods', '/admin/stats', '/admin/players']) {
			await page.goto(target);
			await ready(page);
			await noSidewaysScroll(page);
			expect(await page.evaluate(misplaced), `${target} at ${width} px`).toEqual([]);
		}
		await page.goto('/admin/activity?view=audit');
		await ready(page);
		await noSidewaysScroll(page);
		expect(await page.evaluate(heaped), `rows at ${width} px`).toEqual([]);
		await page.goto('/admin/mods');
		const update = page.getByRole('link', { name: /^Update / });
		for (const one of await update.all())
			expect((await one.locator('.clip').boundingBox())!.width).toBeGreaterThan(40);
		// Their pictures stay, and so do their names, for whoever hears them.
		const places = page.locator('nav.bottom');
		for (const name of ['Overview', 'Players', 'Chat', 'Mods'])
			await expect(places.getByRole('link', { name })).toBeVisible();
		await page.goto('/admin/stats');
		expect(await page.evaluate(narrowest, 'main li a.clip')).toBeGreaterThan(40);
	}
});

/** Facts of the top bar that lie on one another, or without a gap. */
const touching = () => {
	const line = document.querySelector('.content > header > .line')!;
	const boxes = [...line.querySelectorAll('.name, .facts > *, .operation, .role')]
		.filter((one) => one.checkVisibility())
		.map((one) => one.getBoundingClientRect());
	return boxes.filter((a) =>
		boxes.some(
			(b) => b.left > a.left && b.left < a.right + 4 && a.top < b.bottom && b.top < a.bottom
		)
	).length;
};

/** A page of a running server, on a phone at 200 %. */
async function openAtTwice(page: Page, dashboard: Dashboard, path: string) {
	await startGame(dashboard);
	await signIn(page);
	await page.setViewportSize({ width: 195, height: 422 });
	await page.goto(path);
	await ready(page);
}

test('at 200 % on a phone a chat shows two messages and below them its field', async ({
	page,
	dashboard
}) => {
	await openAtTwice(page, dashboard, '/admin/chat');
	const log = page.getByRole('log', { name: 'Chat' });
	const TWO_PX = 2 * 72;
	const { y, height } = (await log.boundingBox())!;
	expect(height).toBeGreaterThanOrEqual(TWO_PX);
	await expect(log).toBeInViewport({ ratio: 1 });
	const field = (await page.getByLabel('Message to everybody in the game').boundingBox())!;
	expect(field.y).toBeGreaterThanOrEqual(y + height);
	await expect(page.getByRole('button', { name: 'Send' })).toBeInViewport({ ratio: 1 });
	const places = (await page.locator('nav.bottom').boundingBox())!;
	expect(field.y + field.height).toBeLessThan(places.y);
});

test('at 200 % on a phone a command has the line for itself, and a log most of the window', async ({
	page,
	dashboard
}) => {
	await openAtTwice(page, dashboard, '/admin/console');
	const field = (await page.getByLabel('Command').boundingBox())!;
	const run = page.getByRole('button', { name: 'Run' });
	expect(field.width).toBeGreaterThan(120);
	expect((await run.boundingBox())!.y).toBeGreaterThanOrEqual(field.y + field.height);
	await expect(run).toBeInViewport({ ratio: 1 });
	await page.goto('/admin/logs');
	await ready(page);
	const lines = page.getByRole('region', { name: 'Log lines' });
	await lines.scrollIntoViewIfNeeded();
	expect((await lines.boundingBox())!.height).toBeGreaterThan(422 / 2);
	await noSidewaysScroll(page);
});

test('at 200 % on a phone a dialog has its title, and no field under its buttons', async ({
	page,
	dashboard
}) => {
	await openAtTwice(page, dashboard, '/admin');
	await page.getByRole('button', { name: /^Stop/ }).first().click();
	const dialog = page.getByRole('dialog');
	await expect(dialog.getByRole('heading')).toBeInViewport({ ratio: 1 });
	expect((await dialog.boundingBox())!.y).toBeGreaterThanOrEqual(0);
	// It was asked before anybody had joined, perhaps.
	await dialog.getByLabel('When').selectOption('60');
	const message = (await dialog.getByLabel('Message to the players').boundingBox())!;
	const cancel = (await dialog.getByRole('button', { name: 'Cancel' }).boundingBox())!;
	expect(message.y + message.height).toBeLessThanOrEqual(cancel.y);
	await noSidewaysScroll(page);
});

test.describe('what is under way', () => {
	test.use({
		env: { SERVER_NAME: 'Emberfall-the-long-awaited-second-season-of-the-lantern-keepers' }
	});

	test('lies on nothing in the top bar, and says what it counts down to where there is room', async ({
		page,
		dashboard
	}) => {
		await page.setViewportSize({ width: 320, height: 568 });
		await signIn(page);
		const visitor = await startGame(dashboard);
		await visitor.json('/api/server/restart', { delaySeconds: 600 });
		await page.goto('/admin');
		await ready(page);
		const bar = page.getByRole('banner');
		const counts = bar.getByRole('link', { name: /^In progress: Restarts in/ });
		await expect(counts.getByText(/^\d+ (s|min)$/)).toBeVisible();
		expect((await counts.boundingBox())!.width).toBe(44);
		expect(await page.evaluate(misplaced)).toEqual([]);
		await expect(counts.getByText('restart', { exact: true })).toBeHidden();
		// Why the buttons are grey stands below them.
		const why = page.getByRole('region', { name: 'In progress' }).getByText(/^Restarts in/);
		await page.setViewportSize({ width: 390, height: 844 });
		await expect(counts.getByText('restart', { exact: true })).toBeVisible();
		await expect(why).toBeVisible();
		expect(await page.evaluate(misplaced)).toEqual([]);
		for (const width of [390, 768, 1100, 1280, 1440]) {
			await page.setViewportSize({ width, height: 844 });
			expect(await page.evaluate(touching), `${width} px`).toBe(0);
		}
	});
});
