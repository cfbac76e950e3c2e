import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from '@playwright/test';
import { modJar } from '../../../scripts/demo-server/seed/seed-mods.ts';
import type { Dashboard } from '../../harness.ts';
import { expect, noSidewaysScroll, ready, signIn, slowRegistry, test } from '../fixtures.ts';

/** Two hundred mods on a phone. */
test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

const COUNT = 200;
async function crowd(dashboard: Dashboard) {
	for (let i = 0; i < COUNT; i++) {
		const id = `wanderers-${i % 7 ? '' : 'long-expected-and-much-discussed-'}kit-${i}`;
		const jar = { id, version: `${i}.0.1+1.21.1`, name: id.replaceAll('-', ' ') };
		const content = modJar({ ...jar, description: 'Another one of very many.' });
		await writeFile(path.join(dashboard.gameDir, 'mods', `${id}.jar`), content);
	}
}
/** Nothing lies on it: a finger that points at its middle meets it. */
const isMet = (one: Locator) =>
	one.evaluate((element) => {
		const { left, top, width, height } = element.getBoundingClientRect();
		const met = document.elementFromPoint(left + width / 2, top + height / 2);
		return met !== null && (element.contains(met) || met.contains(element));
	});

test('of two hundred mods the first are in sight, whichever way a phone is held', async ({
	page,
	dashboard
}) => {
	await crowd(dashboard);
	await signIn(page);
	const rows = page.getByRole('list', { name: 'Installed mods' }).getByRole('listitem');
	for (const [width, height, count] of [
		[390, 844, 5],
		[320, 640, 1],
		[844, 390, 1]
	] as const) {
		await page.setViewportSize({ width, height });
		await page.goto('/admin/mods');
		await ready(page);
		await expect(page.getByRole('link', { name: 'Update 5 mods' })).toBeVisible();
		await expect(page.getByText('has not answered yet')).toHaveCount(0);
		const last = (await rows.nth(count - 1).boundingBox())!;
		// On its side the places stand at the side.
		const lowest = height - (width > height ? 0 : 44);
		expect(last.y + last.height, `${width} px`).toBeLessThanOrEqual(lowest);
		if (width > height) await expect(rows.nth(1).getByRole('link').first()).toBeInViewport();
		await expect(page.getByLabel('Sort by')).toBeInViewport();
		await expect(page.getByRole('button', { name: /^Check for updates/ })).toBeInViewport();
		await noSidewaysScroll(page);
	}
});

test('what is searched for is seen above a keyboard, with mods chosen, and no button says more than what is shown', async ({
	page,
	dashboard
}) => {
	await crowd(dashboard);
	await signIn(page);
	const rows = page.getByRole('list', { name: 'Installed mods' }).getByRole('listitem');
	const update = page.getByRole('link', { name: /^Update \d/ });
	for (const [width, height] of [
		[390, 400],
		[320, 568]
	] as const) {
		await page.setViewportSize({ width, height });
		await page.goto('/admin/mods');
		await ready(page);
		await expect(update).toHaveText('Update 5 mods');
		const boxes = page.getByRole('checkbox', { name: /^Select / });
		for (const nth of [0, 1]) await boxes.nth(nth).check();
		await page.getByLabel('Search installed mods').fill('kit 150');
		const found = rows.getByRole('link', { name: 'wanderers kit 150' });
		await expect(found).toBeInViewport({ ratio: 1 });
		expect(await isMet(found), `${width} px`).toBe(true);
		expect(await isMet(page.getByLabel('Search installed mods')), `${width} px`).toBe(true);
		// In a low window only the row of buttons stays.
		const bar = page.getByRole('group', { name: 'Selected mods' }).locator('> .row');
		expect((await bar.boundingBox())!.height, `${width} px`).toBeLessThanOrEqual(64);
		await expect(update).toBeHidden();
		await noSidewaysScroll(page);
	}
	// Beside a list there is room for it, and it is about what is shown.
	await page.setViewportSize({ width: 1280, height: 800 });
	await expect(update).toHaveCount(0);
	await page.getByRole('button', { name: 'Clear', exact: true }).tap();
	await page.getByLabel('Search installed mods').fill('l');
	await expect(update).toHaveText(/Update [1-4] mods/);
	await update.click();
	await expect(page).toHaveURL(/do=update&file=/);
});

test('updates are a filter among many, and long names are told apart', async ({
	page,
	dashboard
}) => {
	await signIn(page);
	await page.goto('/admin/mods');
	const chip = page.getByRole('link', { name: 'Updates 5', exact: true });
	await expect(chip).toHaveCount(0);
	await crowd(dashboard);
	await expect(async () => {
		await page.goto('/admin/mods');
		await expect(chip).toBeVisible({ timeout: 1000 });
	}).toPass();
	await ready(page);
	for (const width of [390, 320]) {
		await page.setViewportSize({ width, height: 844 });
		const cut = await page
			.locator('main li a.clip')
			.evaluateAll((all) =>
				all.filter((one) => one.scrollHeight > one.clientHeight + 1).map((one) => one.textContent)
			);
		expect(cut, `${width} px`).toEqual([]);
	}
	await chip.tap();
	await expect(page.getByRole('checkbox', { name: /^Select / })).toHaveCount(5);
	// While one searches it says how many of what is found.
	await page.getByLabel('Search installed mods').fill('lithium');
	await expect(page.getByRole('checkbox', { name: /^Select / })).toHaveCount(1);
	await expect(page.getByRole('link', { name: 'Updates 1', exact: true })).toBeVisible();
	await page.getByLabel('Search installed mods').fill('wanderers');
	await expect(page.getByRole('link', { name: 'Updates 0', exact: true })).toBeVisible();
	// What would show nothing is not offered.
	await page.getByRole('link', { name: `All ${COUNT}`, exact: true }).tap();
	await expect(page.getByRole('checkbox', { name: /^Select wanderers/ }).first()).toBeVisible();
	await expect(page.getByRole('link', { name: /^Updates/ })).toHaveCount(0);
	await page.getByLabel('Search installed mods').fill('');
	await expect(chip).toBeVisible();
});

for (const javaScriptEnabled of [true, false])
	test.describe(javaScriptEnabled ? 'with a script' : 'without JavaScript', () => {
		test.use({ javaScriptEnabled });
		test('how the list is sorted keeps its own line below few filters', async ({
			page,
			dashboard
		}) => {
			await crowd(dashboard);
			await signIn(page);
			for (const width of [390, 320])
				for (const q of ['kit+137', 'lantern']) {
					await page.setViewportSize({ width, height: 844 });
					await page.goto(`/admin/mods?q=${q}`);
					if (javaScriptEnabled) {
						await ready(page);
						await expect(page.getByRole('link', { name: 'All 1', exact: true })).toBeVisible();
					}
					await noSidewaysScroll(page);
					await expect(page.locator('nav.bottom')).toBeInViewport({ ratio: 1 });
					const sort = (await page.getByLabel('Sort by').boundingBox())!;
					const checked = (await page.locator('.beside .checked').boundingBox())!;
					expect(checked.x, `${q} at ${width} px`).toBeLessThan(24);
					// On the narrowest one each has a line, so that neither is cut.
					if (width < 360) expect(checked.y + checked.height).toBeLessThanOrEqual(sort.y);
					else expect(checked.x + checked.width).toBeLessThanOrEqual(sort.x);
				}
		});
		test.describe('with a registry that takes its time', () => {
			test.use(slowRegistry(/\/v2\//, 1000));
			test('what says so is as narrow as the list of mods', async ({ page, dashboard }) => {
				await crowd(dashboard);
				await signIn(page);
				for (const width of [1280, 390, 320]) {
					await page.setViewportSize({ width, height: 844 });
					await page.goto('/admin/mods');
					if (javaScriptEnabled) await ready(page);
					await expect(
						page.getByText('Looking for updates').filter({ visible: true })
					).toBeVisible();
					await noSidewaysScroll(page);
				}
			});
		});
		test('two hundred mods are sorted and filtered, and the address remembers both', async ({
			page,
			dashboard
		}) => {
			await crowd(dashboard);
			await writeFile(
				path.join(dashboard.gameDir, 'mods', 'zeppelin.jar.disabled'),
				'x'.repeat(9999)
			);
			await signIn(page);
			await page.goto('/admin/mods');
			if (javaScriptEnabled) await ready(page);
			const rows = page.getByRole('list', { name: 'Installed mods' }).getByRole('listitem');
			await page.getByLabel('Sort by').selectOption('Largest file');
			if (!javaScriptEnabled) await page.getByRole('button', { name: 'Sort' }).tap();
			await expect(page).toHaveURL(/order=size/);
			await expect(rows.first()).toContainText('zeppelin');
			await page.getByRole('link', { name: 'Disabled 1', exact: true }).tap();
			await expect(rows).toHaveCount(1);
			await expect(page).toHaveURL(/show=disabled&order=size/);
			await page.reload();
			await expect(page.getByLabel('Sort by')).toHaveValue('size');
			await page.getByRole('link', { name: `All ${COUNT + 6}`, exact: true }).tap();
			await expect(rows).toHaveCount(50);
			await expect(rows.first()).toContainText('zeppelin');
			await noSidewaysScroll(page);
		});
		test('of two hundred mods the first fifty are listed, until all are asked for or one of the others is open', async ({
			page,
			dashboard
		}) => {
			await crowd(dashboard);
			await signIn(page);
			const rows = page.getByRole('list', { name: 'Installed mods' }).getByRole('listitem');
			const last = page.getByRole('link', { name: 'wanderers kit 199', exact: true });
			await page.goto('/admin/mods');
			if (javaScriptEnabled) await ready(page);
			await expect(rows).toHaveCount(50);
			await page.getByRole('link', { name: `Show all ${COUNT + 5}`, exact: true }).tap();
			await expect(rows).toHaveCount(COUNT + 5);
			if (javaScriptEnabled) await expect(rows.nth(50).getByRole('link').first()).toBeFocused();
			await last.tap();
			await expect(page).toHaveURL(/all=1&mod=wanderers-kit-199/);
			// It is in the list that it was opened from, by whichever way.
			await page.goto('/admin/mods?mod=wanderers-kit-199.jar');
			await page.getByRole('main').getByRole('link', { name: 'Back', exact: true }).tap();
			await expect(last).toBeVisible();
			await page.goto('/admin/mods?order=name&pick=updates');
			await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(5);
		});
	});

test('what is selected of two hundred mods counts beyond those that are listed', async ({
	page,
	dashboard
}) => {
	await crowd(dashboard);
	await signIn(page);
	await page.goto('/admin/mods');
	await ready(page);
	const bar = page.getByRole('group', { name: 'Selected mods' });
	const boxes = page.getByRole('checkbox', { name: /^Select / });
	await boxes.first().check();
	await bar.getByRole('button', { name: new RegExp(`all ${COUNT + 5}$`, 'i') }).tap();
	await expect(bar).toContainText(`${COUNT + 5} selected, ${COUNT - 45} not shown`);
	await page.getByLabel('Search installed mods').fill('kit 199');
	await expect(boxes).toHaveCount(1);
	await expect(boxes.first()).toBeChecked();
	await bar.getByRole('button', { name: /^Show only/ }).tap();
	await expect(boxes).toHaveCount(COUNT + 5);
});

test('a plan for two hundred mods names ten and folds the rest', async ({ page, dashboard }) => {
	await crowd(dashboard);
	await signIn(page);
	const files = Array.from({ length: COUNT }, (_, i) => i)
		.filter((i) => i % 7)
		.map((i) => `file=wanderers-kit-${i}.jar`);
	await page.goto(`/admin/mods/plan?do=remove&${files.join('&')}`);
	await ready(page);
	await expect(page.getByRole('list', { name: 'Removed' }).getByRole('listitem')).toHaveCount(10);
	const what = (await page.getByRole('heading', { name: 'What happens' }).boundingBox())!;
	expect(what.y).toBeLessThan(1600);
	await page.getByText(`and ${files.length - 10} more`).tap();
	await expect(page.getByText(`wanderers kit ${COUNT - 1}`, { exact: true })).toBeVisible();
});
