import type { Page } from '@playwright/test';
import { expect, ready, signIn, test, withoutWorker } from '../fixtures.ts';
import { movedOn, watchShifts } from './shifts.ts';

const STEPS_MAX = 60;

/** Presses a key until the focus is where it should be. */
async function until(page: Page, key: string, there: (focused: Focus) => boolean) {
	for (let step = 0; step < STEPS_MAX; step++) {
		await page.keyboard.press(key);
		const focused = await focus(page);
		if (there(focused)) return focused;
	}
	throw new Error(
		`${key} did not lead there; the focus is on ${JSON.stringify(await focus(page))}`
	);
}

type Focus = Awaited<ReturnType<typeof focus>>;
const focus = (page: Page) =>
	page.evaluate(() => {
		const one = document.activeElement as HTMLElement;
		const { outlineStyle } = getComputedStyle(one);
		const ring = (one.closest('label') ?? one).matches(':focus-within') && outlineStyle !== 'none';
		return {
			tag: one.tagName,
			href: one.getAttribute('href'),
			inMain: !!one.closest('#main'),
			shown: ring || !!one.closest('label')
		};
	});

test('the skip link leads past the navigation, and every page is reached and walked through by keyboard', async ({
	page
}) => {
	test.setTimeout(180_000);
	await signIn(page);
	await ready(page);
	await page.keyboard.press('Tab');
	await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
	await page.keyboard.press('Enter');
	await expect(page.locator('#main')).toBeFocused();
	// As wide as the page, its ring would be one line across it.
	await expect(page.locator('#main')).toHaveCSS('outline-style', 'none');

	const places = await page
		.getByRole('navigation', { name: 'Places' })
		.first()
		.locator('.places a')
		.evaluateAll((links) => links.map((link) => link.getAttribute('href')!));
	expect(places.length).toBeGreaterThanOrEqual(10);
	for (const href of [...places.slice(1), places[0]!]) {
		const link = await until(page, 'Shift+Tab', (one) => one.href === href && !one.inMain);
		expect(link.shown, href).toBe(true);
		await page.keyboard.press('Enter');
		await page.waitForURL(`**${href}`);
		await expect(page.getByRole('heading', { level: 1 }), href).toBeFocused();
		// The first element of the page is next, and its focus ring is visible.
		const first = await until(page, 'Tab', ({ tag }) => tag !== 'BODY');
		if (first.inMain) expect(first.shown, `${href}: ${JSON.stringify(first)}`).toBe(true);
		await page.getByRole('heading', { level: 1 }).focus();
		// Lists of links, fields with choices and stories of steps say what they are.
		const nameless = await page
			.locator('nav, select, [role="tablist"], main ol, main aside')
			.evaluateAll((all) =>
				all
					.filter((one) => one.checkVisibility())
					.filter(
						(one) =>
							!one.getAttribute('aria-label') &&
							!one.getAttribute('aria-labelledby') &&
							!(one as HTMLSelectElement).labels?.length
					)
					.map((one) => one.outerHTML.slice(0, 120))
			);
		expect(nameless, href).toEqual([]);
	}
});

test('a slow page shows its shape, and nothing jumps or moves with reduced motion', async ({
	page
}) => {
	test.setTimeout(180_000);
	await page.emulateMedia({ reducedMotion: 'reduce' });
	await watchShifts(page);
	await withoutWorker(page);
	await signIn(page);
	await ready(page);
	const first = await movedOn(page);
	expect(first.sum, `Overview: ${first.what}`).toBeLessThanOrEqual(0.01);
	const held = new Map<string, () => void>();
	await page.route('**/__data.json*', async (route) => {
		const { pathname } = new URL(route.request().url());
		await new Promise<void>((resolve) => held.set(pathname, resolve));
		await route.continue();
	});
	const moving = () =>
		page.evaluate(
			() => document.getAnimations().filter((one) => one.playState === 'running').length
		);
	const places = page.getByRole('navigation', { name: 'Places' }).first().locator('.places a');
	for (const place of await places.all()) {
		const name = (await place.innerText()).trim();
		if (name === 'Overview') continue;
		// Not an input event: shifts soon after one would not be counted.
		await place.evaluate((link: HTMLElement) => link.click());
		await expect(page.getByText(`Loading ${name}`)).toBeAttached();
		await expect(page.locator('main h1:visible')).toHaveCount(0);
		expect(await moving(), name).toBe(0);
		// The shape may appear before the request for the data has been intercepted.
		const data = `${await place.getAttribute('href')}/__data.json`;
		await expect.poll(() => [...held.keys()]).toContain(data);
		held.get(data)!();
		await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
		await expect(page.getByText(`Loading ${name}`)).toHaveCount(0);
		expect(await moving(), name).toBe(0);
		const { sum, what } = await movedOn(page);
		expect(sum, `${name}: ${what}`).toBeLessThanOrEqual(0.01);
	}
});
