import { expect, ready, signIn, test } from './fixtures.ts';

test('r, / and ? work, not while typing, not in a dialog, and not when switched off', async ({
	page
}) => {
	await signIn(page);
	await page.goto('/admin/players?tab=everyone');
	await ready(page);
	const asked: string[] = [];
	page.on('request', (request) => asked.push(new URL(request.url()).pathname));
	const refetches = () => asked.filter((path) => path === '/api/players').length;
	const fresh = page.getByText('Everything on this page is up to date.');
	const sheet = page.getByText('Keyboard shortcuts', { exact: true });

	await page.keyboard.press('r');
	await expect(fresh.first()).toBeVisible();
	// Once more if the stream brought something newer meanwhile.
	expect(refetches()).toBeGreaterThan(0);
	const before = refetches();
	expect(asked.some((path) => path.endsWith('__data.json'))).toBe(true);

	await page.keyboard.press('?');
	await expect(sheet).toBeVisible();
	const list = page.locator('[data-sonner-toast] dl');
	await expect(list.locator('dt')).toHaveText([/Ctrl\s*K/, 'R', '/', '?']);
	await page.keyboard.press('?');
	await expect(sheet).toBeHidden();
	await page.keyboard.press('?');
	await expect(sheet).toBeVisible();
	await page.keyboard.press('Escape');
	await expect(sheet).toBeHidden();
	await page.keyboard.press('?');
	const more = page.getByRole('button', { name: 'All shortcuts' });
	// Like any other button, which the library's own style is not.
	await expect(more).toHaveCSS('font-size', '14px');
	expect((await more.boundingBox())!.height).toBe(36);
	await more.click();
	const all = page.getByRole('dialog', { name: 'All shortcuts' });
	await expect(all.locator('kbd').filter({ hasText: 'Esc' }).first()).toBeVisible();
	await expect(all).toContainText('Load this page’s data again');
	await page.keyboard.press('Escape');
	await expect(all).toBeHidden();
	await expect(sheet).toBeHidden();

	await page.keyboard.press('/');
	const search = page.getByRole('searchbox');
	await expect(search).toBeFocused();
	await page.keyboard.type('r/?');
	await expect(search).toHaveValue('r/?');
	await expect(sheet).toBeHidden();
	expect(refetches()).toBe(before);
	// With Ctrl nothing is typed: the palette opens from a field as well, and its letters stay its own.
	await page.keyboard.press('Control+k');
	const palette = page.getByRole('dialog', { name: 'Command palette' });
	await expect(palette).toBeVisible();
	await page.keyboard.type('switch single');
	await expect(palette.locator('[aria-selected="true"]')).toContainText('single-key');
	await page.keyboard.press('Enter');
	await expect(palette).toBeHidden();
	await expect(search).toBeFocused();

	await page.evaluate(() => (document.activeElement as HTMLElement).blur());
	await page.keyboard.press('r');
	await page.keyboard.press('?');
	await page.keyboard.press('Control+k');
	await expect(palette.getByRole('combobox')).toBeFocused();
	await page.keyboard.type('keyboard shortcuts');
	await page.keyboard.press('Enter');
	await expect(sheet).toBeVisible();
	await expect(page.getByText('Single keys are switched off')).toBeVisible();
	expect(refetches()).toBe(before);
	await page.keyboard.press('Control+k');
	await expect(palette.getByRole('combobox')).toBeFocused();
	await page.keyboard.type('switch single');
	await page.keyboard.press('Enter');
	await expect(palette).toBeHidden();
	await page.keyboard.press('r');
	await expect.poll(refetches).toBeGreaterThan(before);

	await page.goto('/admin/players?tab=everyone');
	await ready(page);
	await page.getByRole('button', { name: /^Ban/ }).first().click();
	const dialog = page.getByRole('dialog');
	await expect(dialog).toBeVisible();
	await dialog.getByRole('button').last().focus();
	await page.keyboard.press('?');
	await page.keyboard.press('Control+k');
	await expect(sheet).toBeHidden();
	await expect(palette).toBeHidden();
});
