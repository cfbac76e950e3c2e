import { startGame } from '../game.ts';
import { expect, ready, signIn, test } from '../fixtures.ts';
import { ADMIN_PAGES, addressOf, furnish, MISSING_PAGES, PUBLIC_PAGES } from '../pages.ts';

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
test.setTimeout(400_000);

/** In the page: what can be pressed and is not 24 × 24 px for a finger. */
function smallTargets(): string[] {
	const LEAST_PX = 24;
	/** Whether a press there is one on the target: its label's, or of what lies over its row, counts. */
	function hits(target: Element, x: number, y: number) {
		const hit = document.elementFromPoint(x, y);
		const label = hit?.closest('label');
		return (
			!!hit &&
			(target.contains(hit) || hit.contains(target) || (!!label && label.contains(target))) &&
			(target.contains(hit) || !!label)
		);
	}
	const small: string[] = [];
	const all = document.querySelectorAll(
		'a[href], button, summary, select, input:not([type=hidden]), textarea, [role=switch], [role=tab]'
	);
	for (const target of all) {
		if (!target.checkVisibility({ visibilityProperty: true })) continue;
		if ((target as HTMLButtonElement).disabled) continue;
		const shown = target.closest('label') ?? target;
		if (shown.getBoundingClientRect().width <= 1) continue; // for screen readers only
		shown.scrollIntoView({ block: 'center' });
		const { left, right, top, bottom } = shown.getBoundingClientRect();
		const [x, y] = [(left + right) / 2, (top + bottom) / 2];
		const reach = LEAST_PX / 2 - 0.5;
		const there = (dx: number, dy: number) =>
			hits(target, Math.min(Math.max(x + dx, 1), innerWidth - 1), y + dy);
		const wide = right - left >= LEAST_PX || (there(-reach, 0) && there(reach, 0));
		const high = bottom - top >= LEAST_PX || (there(0, -reach) && there(0, reach));
		if (wide && high) continue;
		const size = `${Math.round(right - left)}×${Math.round(bottom - top)}`;
		small.push(`${size} ${target.outerHTML.replace(/\s+/g, ' ').slice(0, 110)}`);
	}
	return small;
}

test('on a tablet what can be done to a player is seen to be a button', async ({
	page,
	dashboard
}) => {
	await startGame(dashboard);
	await signIn(page);
	await page.setViewportSize({ width: 768, height: 1024 });
	await page.goto('/admin/players?tab=online');
	await ready(page);
	for (const verb of ['Op', 'Kick', 'Ban']) {
		const button = page.getByRole('button', { name: new RegExp(`^${verb}: `) }).first();
		const edge = await button.evaluate((one) => getComputedStyle(one).borderTopColor);
		expect(edge, verb).not.toBe('rgba(0, 0, 0, 0)');
	}
});

test('on a tablet held upright the places take little of the width, and all of them can be read', async ({
	page
}) => {
	await signIn(page);
	const places = page.getByRole('navigation', { name: 'Places' }).first();
	await page.setViewportSize({ width: 1024, height: 768 });
	await ready(page);
	expect((await places.boundingBox())!.width).toBeGreaterThan(180);
	for (const width of [720, 768, 899]) {
		await page.setViewportSize({ width, height: 1024 });
		expect((await places.boundingBox())!.width, `${width} px`).toBeLessThan(100);
		const cut = await places
			.locator('a .clip, button .clip')
			.evaluateAll((all) =>
				all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)
			);
		expect(cut, `${width} px`).toEqual([]);
	}
	await expect(places.getByRole('button', { name: 'Log out' })).toBeInViewport({ ratio: 1 });
	await places.getByRole('link', { name: 'Browser errors' }).tap();
	await expect(page.getByRole('heading', { level: 1, name: 'Browser errors' })).toBeVisible();
});

test('whatever can be pressed is large enough for a finger, on every page', async ({
	page,
	dashboard
}) => {
	const found: Record<string, string[]> = {};
	const check = async (target: string) => {
		await page.goto(target);
		await ready(page);
		const small = await page.evaluate(smallTargets);
		if (small.length) found[target] = small;
	};
	for (const target of [...PUBLIC_PAGES, MISSING_PAGES[0]!]) await check(target);
	const facts = await furnish(dashboard);
	await signIn(page);
	await startGame(dashboard);
	for (const target of [...ADMIN_PAGES, ...MISSING_PAGES]) await check(addressOf(target, facts));
	expect(found).toEqual({});
});
