import { expect, noSidewaysScroll, ready, signIn, test } from './fixtures.ts';

test('what is changed in one group is not lost unseen when another one is saved', async ({
	page
}) => {
	await signIn(page);
	await page.goto('/admin/settings');
	await ready(page);
	const notYet = page.getByText('Not saved yet.');
	const graphs = page.getByLabel('Keep measurements for');
	const mods = page.getByRole('switch', { name: 'Look up every mod in the registry' });
	await expect(notYet).toHaveCount(0);

	await graphs.fill('90');
	await mods.click();
	await expect(notYet).toHaveCount(2);
	await mods.click();
	await expect(notYet).toHaveCount(1);
	await mods.click();
	const group = page.locator('form').filter({ has: mods });
	await group.getByRole('button', { name: 'Save' }).click();
	await expect(page.getByText('Settings saved.')).toBeVisible();
	await expect(notYet).toHaveCount(1);
	await expect(graphs).toHaveValue('90');
	// What is as it was is not said to be saved.
	await group.getByRole('button', { name: 'Save' }).click();
	await expect(page.getByText('Nothing was changed.')).toBeVisible();
	await expect(notYet).toHaveCount(1);

	// Leaving asks first.
	const away = page.getByRole('link', { name: 'Players' }).first();
	page.once('dialog', (dialog) => void dialog.dismiss());
	await away.click();
	await expect(page).toHaveURL(/\/admin\/settings$/);
	await expect(graphs).toHaveValue('90');
	page.once('dialog', (dialog) => void dialog.accept());
	await away.click();
	await expect(page).toHaveURL(/\/admin\/players$/);

	await page.goto('/admin/settings');
	await expect(graphs).not.toHaveValue('90');
	await expect(mods).not.toBeChecked();
});

test('a number beyond its limits is said at its field, in our words', async ({ page }) => {
	await signIn(page);
	await page.goto('/admin/settings');
	await ready(page);
	const graphs = page.getByLabel('Keep measurements for');
	await graphs.fill('3');
	const group = page.locator('form').filter({ has: graphs });
	await group.getByRole('button', { name: 'Save' }).click();
	await expect(group.getByText('At least 7')).toBeVisible();
	await expect(graphs).toHaveAttribute('aria-invalid', 'true');
	await expect(graphs).toBeFocused();
	await graphs.fill('30');
	await expect(group.getByText('At least 7')).toHaveCount(0);
	await page.goto('/admin/schedule/trigger');
	await ready(page);
	const gap = page.getByLabel('Not again within');
	await gap.fill('-1');
	await gap.press('Enter');
	await expect(page.getByText(/^At least \d+$/)).toBeVisible();
	await expect(gap).toHaveAccessibleDescription(/At least/);
});

test('once everything is saved, nothing is asked', async ({ page }) => {
	await signIn(page);
	await page.goto('/admin/settings');
	await ready(page);
	const graphs = page.getByLabel('Keep measurements for');
	await graphs.fill('90');
	const group = page.locator('form').filter({ has: graphs });
	await group.getByRole('button', { name: 'Save' }).click();
	await expect(page.getByText('Not saved yet.')).toHaveCount(0);
	await page.reload();
	await expect(graphs).toHaveValue('90');
});

test('what explains a switch stands as far below a name of two lines as below one of one', async ({
	page
}) => {
	await page.setViewportSize({ width: 390, height: 844 });
	await signIn(page);
	await page.goto('/admin/settings');
	await ready(page);
	const distances = await page.locator('.switch:has(> p)').evaluateAll((switches) =>
		switches.map((one) => {
			const [word, hint] = ['.word', 'p'].map((of) =>
				one.querySelector(of)!.getBoundingClientRect()
			);
			return { lines: Math.round(word!.height / 24), px: Math.round(hint!.top - word!.bottom) };
		})
	);
	expect(new Set(distances.map(({ lines }) => lines)).size).toBeGreaterThan(1);
	expect(new Set(distances.map(({ px }) => px)).size).toBe(1);
});

for (const javaScriptEnabled of [true, false])
	test.describe(`on a phone ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, () => {
		test.use({ javaScriptEnabled, viewport: { width: 390, height: 844 } });

		test('each section has a link at the top, which loses nothing that was typed', async ({
			page
		}) => {
			await signIn(page);
			await page.goto('/admin/settings');
			if (javaScriptEnabled) await ready(page);
			await page.getByLabel('At most').fill('7');
			const sections = page.getByRole('navigation', { name: 'Sections' });
			const titles = page.getByRole('main').getByRole('heading', { level: 2 });
			expect((await sections.boundingBox())!.height).toBeLessThan(50);
			await sections.getByText('Sections').click();
			await expect(sections.getByRole('link')).toHaveCount(await titles.count());
			await sections.getByRole('link', { name: 'Graphs' }).click();
			await expect(page.getByRole('heading', { name: 'Graphs' })).toBeInViewport();
			await expect(page.getByLabel('At most')).toHaveValue('7');
		});
	});

test('beside one column the sections stay in sight', async ({ page }) => {
	await page.setViewportSize({ width: 1280, height: 720 });
	await signIn(page);
	await page.goto('/admin/settings');
	await ready(page);
	const about = page.getByRole('navigation', { name: 'Sections' }).getByRole('link').last();
	await about.click();
	await expect(page.getByRole('heading', { name: 'About', exact: true })).toBeInViewport();
	await expect(about).toBeInViewport();
	await noSidewaysScroll(page);
});

test('on a wide screen the sections stand in two columns, one after the other for the keyboard too', async ({
	page
}) => {
	await page.setViewportSize({ width: 1440, height: 900 });
	await signIn(page);
	await page.goto('/admin/settings');
	await ready(page);
	const boxes = await page
		.locator('main .panel')
		.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
	const lefts = boxes.map(({ x }) => x);
	expect(new Set(lefts).size).toBe(2);
	expect(lefts).toEqual(lefts.toSorted((a, b) => a - b));
	await noSidewaysScroll(page);
});
