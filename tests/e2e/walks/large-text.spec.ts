import type { Page } from '@playwright/test';
import { startGame } from '../game.ts';
import { expect, noSidewaysScroll, ready, signIn, test } from '../fixtures.ts';

/** A phone whose browser is set to larger letters. */
test.use({ viewport: { width: 390, height: 844 } });

const PAGES = ['', '/players', '/chat', '/mods', '/backups', '/logs', '/activity', '/settings'];
/** The browser's own setting, whose usual value is 16. */
const SIZES_PX = [21, 32];

async function setLetters(page: Page, px: number) {
	const browser = await page.context().newCDPSession(page);
	await browser.send('Page.setFontSizes', { fontSizes: { standard: px } });
}

/** What lies on its neighbour, leaves the window or has no room for its words, in the bars, the tabs and the overview's card. */
const broken = () => {
	const seen = (one: Element) => one.checkVisibility() && one.getBoundingClientRect().width > 2;
	const words = (one: Element) => (one.textContent ?? '').trim().replace(/\s+/g, ' ');
	const all = (selector: string) => [...document.querySelectorAll(selector)].filter(seen);
	const groups = {
		'top bar': all('.line > :is(a, button), .line .name, .line .facts > *'),
		'bottom bar': all('nav.bottom > a, nav.bottom summary'),
		tabs: all('main nav > a'),
		figures: all('.card dl > div, .card .online li'),
		buttons: all('.card .buttons .button')
	};
	const over = (a: DOMRect, b: DOMRect) =>
		Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
		Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
	return Object.entries(groups).flatMap(([group, members]) => {
		const boxes = members.map((one) => one.getBoundingClientRect());
		const scrolls = (one: Element) => getComputedStyle(one.parentElement!).overflowX === 'auto';
		const cut = members.filter((one, i) => {
			const bar = one.closest('header, nav.bottom, .card')?.getBoundingClientRect();
			const { left, right, top, bottom } = boxes[i]!;
			const isOut = !scrolls(one) && (left < 0 || right > innerWidth + 1);
			const isBelow = bar && (top < bar.top - 1 || bottom > bar.bottom + 1);
			// An ellipsis is a word that is cut where everybody sees it.
			const isClipped = one.closest('.clip') ?? one.querySelector('.clip, .word');
			return isOut || isBelow || (!isClipped && one.scrollWidth > one.clientWidth + 1);
		});
		const pairs = members.flatMap((one, i) =>
			members
				.slice(i + 1)
				.flatMap((other, j) =>
					over(boxes[i]!, boxes[i + 1 + j]!) ? [`${words(one)} | ${words(other)}`] : []
				)
		);
		return [...cut.map(words), ...pairs].map((what) => `${group}: ${what}`);
	});
};

test('the frame and the overview grow with the browser’s letters, and nothing is cut or printed over', async ({
	page,
	dashboard
}) => {
	test.setTimeout(180_000);
	await signIn(page);
	await startGame(dashboard);
	const sizeOf = (selector: string) =>
		page
			.locator(selector)
			.first()
			.evaluate((one) => parseFloat(getComputedStyle(one).fontSize));
	for (const px of SIZES_PX) {
		await setLetters(page, px);
		for (const path of PAGES) {
			await page.goto(`/admin${path}`);
			await ready(page);
			const where = `/admin${path} at ${px} px`;
			expect(await sizeOf('body'), where).toBeCloseTo(px * 0.875, 1);
			expect(await sizeOf('h1, .badge.l'), where).toBeGreaterThan(px);
			await noSidewaysScroll(page);
			expect(await page.evaluate(broken), where).toEqual([]);
		}
	}
});

test('what can be done with the chosen mods stays in the window with large letters', async ({
	page
}) => {
	await signIn(page);
	await setLetters(page, 32);
	await page.goto('/admin/mods');
	await ready(page);
	await page.getByRole('checkbox').first().check();
	const bar = page.locator('[data-sticky]');
	for (const button of await bar.getByRole('button').all()) {
		const { x, width } = (await button.boundingBox())!;
		expect(x).toBeGreaterThanOrEqual(0);
		expect(x + width).toBeLessThanOrEqual(390);
	}
});

test('a bar of places makes way for the keyboard of a small phone on its side', async ({
	page,
	dashboard
}) => {
	await page.setViewportSize({ width: 568, height: 320 });
	await signIn(page);
	await startGame(dashboard);
	await page.goto('/admin/chat');
	await ready(page);
	const places = page.locator('nav.bottom');
	await expect(places).toBeVisible();
	await page.getByRole('textbox').first().focus();
	await expect(places).toBeHidden();
	await page.getByRole('textbox').first().blur();
	await expect(places).toBeVisible();
});
