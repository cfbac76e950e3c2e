import { ADMIN } from '../../harness.ts';
import { startGame } from '../game.ts';
import { expect, ready, signIn, test } from '../fixtures.ts';
import { ADMIN_PAGES, addressOf, furnish, MISSING_PAGES, PUBLIC_PAGES } from '../pages.ts';

/** 320 px are the narrowest phone, and 1280 px at a zoom of 400 %. */
test.use({
	viewport: { width: 320, height: 640 },
	env: {
		SERVER_NAME: 'Emberfall-the-long-awaited-second-season-of-the-lantern-keepers'
	}
});
test.setTimeout(400_000);

/** Elements that overflow to the side, by their place in the page; empty for a page that fits. */
const wide = () => {
	const { scrollWidth, clientWidth } = document.documentElement;
	const right = (one: Element) => one.getBoundingClientRect().right;
	const named = (all: Element[]) =>
		all.slice(0, 8).map((one) => `${one.tagName.toLowerCase()}.${one.className}`);
	// A panel clips what is wider, so the page does not scroll.
	const cut = [...document.querySelectorAll('.panel :is(label, input, select, button, .muted)')];
	const out = cut.filter(
		(one) => !one.closest('.clip') && right(one) > right(one.closest('.panel')!) + 1
	);
	if (scrollWidth <= clientWidth) return named(out.filter((one) => one.checkVisibility()));
	const over = [...document.querySelectorAll('body *')].filter(
		(one) => right(one) > clientWidth + 1 && one.checkVisibility()
	);
	return [`${scrollWidth} px`, ...named(over)];
};

for (const javaScriptEnabled of [true, false])
	test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
		test.use({ javaScriptEnabled });

		test('no page scrolls sideways at 320 px, signed in or not', async ({ page, dashboard }) => {
			const sideways: Record<string, string[]> = {};
			const check = async (target: string) => {
				await page.goto(target);
				if (javaScriptEnabled) await ready(page);
				const found = await page.evaluate(wide);
				if (found.length) sideways[target] = found;
			};
			for (const target of [...PUBLIC_PAGES, MISSING_PAGES[0]!]) await check(target);
			// Before, since without JavaScript the overview loads itself again while it finds out what needs attention.
			const facts = await furnish(dashboard);
			await signIn(page);
			await startGame(dashboard);
			for (const target of [...ADMIN_PAGES, ...MISSING_PAGES])
				await check(addressOf(target, facts));
			expect(sideways).toEqual({});
		});
	});

test('the top bar keeps the server’s name at every width, and More shows every place', async ({
	page
}) => {
	const READABLE_PX = 100;
	await signIn(page, ADMIN);
	const name = page.getByRole('banner').getByText(/^Emberfall/);
	for (const width of [320, 390, 640, 719, 720, 768, 1024, 1100, 1280, 1920]) {
		await page.setViewportSize({ width, height: 640 });
		expect((await name.boundingBox())!.width, `${width} px`).toBeGreaterThan(READABLE_PX);
		expect(await page.evaluate(wide), `${width} px`).toEqual([]);
	}
	await page.setViewportSize({ width: 320, height: 640 });
	await page.getByText('More', { exact: true }).click();
	const places = page.locator('.sheet').getByRole('link');
	await expect(places.first()).toBeInViewport({ ratio: 1 });
	await expect(places.last()).toBeInViewport({ ratio: 1 });
});
