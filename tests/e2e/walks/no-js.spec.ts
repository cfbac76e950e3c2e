import { processesIn } from '../../harness.ts';
import { atOnce, comesToRest, expect, noSidewaysScroll, signIn, state, test } from '../fixtures.ts';

test.use({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });

test('start, restart and stop work with plain forms, and a reload repeats nothing', async ({
	page,
	dashboard
}) => {
	const operations = async () => {
		await page.goto('/admin/activity');
		return page.getByRole('link', { name: /^(Start|Stop|Restart)/ }).count();
	};
	await signIn(page);
	await expect(state(page)).toHaveText(/Stopped/);
	await noSidewaysScroll(page);

	await page.getByRole('button', { name: 'Start', exact: true }).click();
	// It stays here, where the operation is shown.
	await expect(page).toHaveURL(/\/admin$/);
	await expect(page.getByText(/starting/i).first()).toBeVisible();
	await page.reload();
	// The page refreshes itself until the operation has ended.
	await comesToRest(page);
	await page.goto('/admin');
	await expect(state(page)).toHaveText(/Running/);
	const [pid] = await processesIn(dashboard.gameDir);
	const before = await operations();

	await page.goto('/admin');
	await page.getByRole('button', { name: 'Restart', exact: true }).click();
	await expect(page).toHaveURL(/\/admin\/confirm\?do=restart/);
	await expect(page.getByRole('heading', { level: 1 })).toContainText(/restart/i);
	await page.getByRole('link', { name: 'Cancel' }).click();
	await expect(page).toHaveURL(/\/admin$/);
	expect(await processesIn(dashboard.gameDir)).toEqual([pid]);

	await page.goto('/admin/confirm?do=restart');
	await atOnce(page);
	await page.getByRole('button', { name: /Restart/ }).click();
	await expect(page).toHaveURL(/\/admin$/);
	await page.reload();
	await comesToRest(page);
	const [next] = await processesIn(dashboard.gameDir);
	expect(next).not.toBe(pid);
	expect(await operations()).toBe(before + 1);

	await page.goto('/admin/confirm?do=stop');
	await atOnce(page);
	await page.getByRole('button', { name: /Stop/ }).click();
	await comesToRest(page);
	await page.goto('/admin');
	await expect(state(page)).toHaveText(/Stopped/);
	expect(await processesIn(dashboard.gameDir)).toEqual([]);
});

test('settings are saved, and the notice is shown once', async ({ page }) => {
	await signIn(page);
	await page.goto('/admin/settings');
	const restart = page.getByRole('switch').or(page.getByRole('checkbox')).first();
	const before = await restart.isChecked();
	await restart.setChecked(!before, { force: true });
	await page.getByRole('button', { name: 'Save' }).first().click();
	await expect(page).toHaveURL(/\/admin\/settings$/);
	await expect(page.getByText('Settings saved.')).toBeVisible();
	expect(await restart.isChecked()).toBe(!before);
	await page.reload();
	await expect(page.getByText('Settings saved.')).toHaveCount(0);
	expect(await restart.isChecked()).toBe(!before);
});

test('a countdown can be cancelled with a plain form', async ({ page }) => {
	await signIn(page);
	await page.getByRole('button', { name: 'Start', exact: true }).click();
	await comesToRest(page);
	// A countdown is offered when players are online whom it can warn.
	await expect(async () => {
		await page.goto('/admin/confirm?do=stop');
		await expect(page.getByLabel('When')).toBeVisible({ timeout: 500 });
	}).toPass({ timeout: 30_000 });
	// What is gentle is chosen already.
	await expect(page.getByLabel('When')).toHaveValue('60');
	await page.getByRole('button', { name: /Stop/ }).click();
	await expect(page).toHaveURL(/\/admin$/);
	// Before it comes anew.
	await page.goto('/admin');
	await page.getByRole('button', { name: /Cancel/ }).click();
	await comesToRest(page);
	await expect(page.getByText(/cancelled/i).first()).toBeVisible();
	await page.goto('/admin');
	await expect(state(page)).toHaveText(/Running/);
});

test('an address that fills in a new task shows its heading, and the fields in one column', async ({
	page
}) => {
	await signIn(page);
	await page.goto('/admin/schedule?type=backup&preset=daily&time=03%3A00#new');
	await expect(page.locator('select[name="preset"]')).toHaveValue('daily');
	await expect(page.locator('input[name="time"]')).toHaveValue('03:00');
	const boxOf = async (name: string) => (await page.locator(`[name="${name}"]`).boundingBox())!;
	const bar = (await page.getByRole('banner').boundingBox())!;
	const heading = (await page.getByRole('heading', { name: 'New task' }).boundingBox())!;
	expect(heading.y).toBeGreaterThanOrEqual(bar.y + bar.height);
	expect((await boxOf('time')).x).toBe((await boxOf('day')).x);
	await noSidewaysScroll(page);
});

test('the fields of a new task stand in a column, with what each is for beside it', async ({
	page
}) => {
	await page.setViewportSize({ width: 1280, height: 800 });
	await signIn(page);
	await page.goto('/admin/schedule');
	const form = page.locator('form[action^="?/add"]').first();
	const boxes = await Promise.all(
		['What', 'When', 'Day', 'On', 'At', 'How often', 'Message to the players'].map(
			async (label) => (await form.getByLabel(label, { exact: true }).boundingBox())!
		)
	);
	for (const [i, { x, y }] of boxes.slice(1).entries()) {
		expect(x).toBe(boxes[0]!.x);
		expect(y).toBeGreaterThan(boxes[i]!.y + boxes[i]!.height);
	}
	const words = (await form.getByText('Only for “Once”', { exact: true }).first().boundingBox())!;
	const day = boxes[3]!;
	expect(words.x).toBeGreaterThan(day.x + day.width);
	expect(Math.abs(words.y + words.height / 2 - (day.y + day.height / 2))).toBeLessThan(8);
});
