import type { Page } from '@playwright/test';
import { startGame } from '../game.ts';
import { expect, noSidewaysScroll, ready, signIn, test } from '../fixtures.ts';

/** How much of the window's height can be seen of an element, between the bars. */
const share = (page: Page, name: string) =>
	page.getByLabel(name, { exact: true }).evaluate((element) => {
		const { top, bottom } = element.getBoundingClientRect();
		const edge = (selector: string, side: 'top' | 'bottom') => {
			const bar = document.querySelector(selector);
			return bar?.checkVisibility() ? bar.getBoundingClientRect()[side] : null;
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
	expect(await share(page, 'Log lines')).toBeGreaterThan(0.5);
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
