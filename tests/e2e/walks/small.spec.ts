import { eventually, signedIn } from '../../harness.ts';
import { startGame } from '../game.ts';
import { expect, noSidewaysScroll, ready, signIn, test } from '../fixtures.ts';

/** The smallest phone. */
test.use({ hasTouch: true, isMobile: true, viewport: { width: 320, height: 568 } });

test('the buttons of an operation that has ended are inside their box, one below another', async ({
	page
}) => {
	await signIn(page);
	await page.goto('/admin/mods/plan?do=update&file=lantern-keeper-1.4.2.jar');
	await ready(page);
	await page.getByLabel('Only change the files').check();
	await page.getByRole('button', { name: /^Update/ }).tap();
	const back = page.getByRole('link', { name: 'Put the old mods back' });
	await expect(back).toBeVisible({ timeout: 30_000 });
	const box = (await page.locator('.ending').boundingBox())!;
	const buttons = page.locator('.ending .button');
	expect(await buttons.count()).toBeGreaterThan(0);
	for (const one of await buttons.all()) {
		const { x, width } = (await one.boundingBox())!;
		expect(x + width).toBeLessThanOrEqual(box.x + box.width - 8);
		// Its edge is seen, so that it does not look indented below another.
		const edge = await one.evaluate((button) => getComputedStyle(button).borderLeftColor);
		expect(edge).not.toBe('rgba(0, 0, 0, 0)');
	}
});

test('the console tells a finger of no arrows', async ({ page, dashboard }) => {
	await startGame(dashboard);
	await signIn(page);
	await page.goto('/admin/console');
	await ready(page);
	await expect(page.getByText('Arrow up brings back earlier commands.')).toBeHidden();
});

test('another time for the graphs is chosen above them, and can be closed', async ({ page }) => {
	await signIn(page);
	for (const width of [320, 390]) {
		await page.setViewportSize({ width, height: 844 });
		await page.goto('/admin/analytics');
		await ready(page);
		const times = page.getByRole('navigation', { name: 'Time' }).getByRole('link');
		const boxes = await Promise.all((await times.all()).map((one) => one.boundingBox()));
		const lines = [...new Set(boxes.map((box) => box!.y))];
		expect(lines, `${width} px`).toHaveLength(2);
		const other = page.getByText('Custom range', { exact: true });
		const { x, y, width: wide } = (await other.boundingBox())!;
		expect(y, `${width} px`).toBe(lines[1]);
		const right = Math.max(...boxes.map((box) => box!.x + box!.width));
		expect(Math.abs(x + wide - right), `${width} px`).toBeLessThan(2);
		await other.tap();
		const show = page.getByRole('button', { name: 'Show', exact: true });
		await expect(show).toBeVisible();
		const form = (await page.locator('form:has(input[name="from"])').boundingBox())!;
		expect(form.width, `${width} px`).toBeGreaterThan(width - 40);
		const tools = (await page.getByRole('link', { name: 'Earlier' }).boundingBox())!;
		expect(tools.y, `${width} px`).toBeGreaterThanOrEqual(form.y + form.height);
		await noSidewaysScroll(page);
		await page.getByRole('button', { name: 'Close', exact: true }).tap();
		await expect(show).toBeHidden();
	}
});

for (const [when, registry] of [
	['a crash', {}],
	['a crash while the registry does not answer', { MODRINTH_URL: 'http://127.0.0.1:9' }]
] as const)
	test.describe(when, () => {
		const dies = { DEMO_DIE_WITH_MOD: 'lithium', DEMO_DIE_AFTER_READY_MS: '2000' };
		test.use({ env: { ...dies, ...registry } });

		test('shows what helps without being scrolled to', async ({ page, dashboard }) => {
			const visitor = await signedIn(dashboard);
			await visitor.json('/api/server/start', {});
			const state = async () => (await visitor.json('/api/status')).body.state;
			await eventually(state, (now) => now === 'crashed', 60_000);
			await signIn(page);
			await ready(page);
			const helps = page
				.getByRole('region', { name: 'The server crashed' })
				.locator('.helping a')
				.first();
			await expect(helps).toHaveText('Disable Lithium');
			const places = (await page.locator('nav.bottom').boundingBox())!;
			const { y, height } = (await helps.boundingBox())!;
			expect(y + height).toBeLessThanOrEqual(places.y);
		});
	});
