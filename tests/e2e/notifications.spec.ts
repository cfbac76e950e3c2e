import AxeBuilder from '@axe-core/playwright';
import { expect, noSidewaysScroll, ready, signIn, test } from './fixtures.ts';

for (const javaScriptEnabled of [true, false])
	test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
		test.use({ javaScriptEnabled, viewport: { width: 390, height: 844 } });

		test('a channel is set up, tested, edited, turned off and removed', async ({ page }) => {
			await signIn(page);
			await page.goto('/admin/notifications');
			if (javaScriptEnabled) await ready(page);
			const list = page.getByRole('list', { name: 'Channels' });
			await expect(list.getByText('Demo inbox').first()).toBeVisible();
			await page.getByRole('button', { name: 'Send test to Demo inbox' }).click();
			const inbox = page.getByRole('list', { name: 'Demo inbox' });
			await expect(inbox.getByText('this is a test')).toBeVisible();
			// Its name stands above it.
			await expect(inbox.getByText('Demo inbox')).toHaveCount(0);

			await page.getByRole('link', { name: 'ntfy', exact: true }).click();
			await page.getByRole('textbox', { name: 'Name' }).fill('My phone');
			await page.getByRole('textbox', { name: 'Server' }).fill('http://127.0.0.1:9');
			await page.getByRole('textbox', { name: 'Topic' }).fill('mine');
			await page.getByRole('textbox', { name: 'Access token' }).fill('tk_geheim');
			await page.getByText('When (', { exact: false }).click();
			await page.getByLabel('The server crashed').uncheck();
			await page.getByRole('button', { name: 'Add channel' }).click();

			// The form stays, with all that was typed but what may be a secret, and says what is wrong beside the field.
			const address = page.getByRole('textbox', { name: 'Server' });
			await expect(address).toHaveAccessibleDescription(/my own network/);
			await expect(address).toHaveValue(javaScriptEnabled ? 'http://127.0.0.1:9' : '');
			await address.fill('http://127.0.0.1:9');
			await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('My phone');
			await expect(page.getByRole('textbox', { name: 'Topic' })).toHaveValue('mine');
			await expect(page.getByLabel('The server crashed')).not.toBeChecked();
			await page.getByRole('textbox', { name: 'Access token' }).fill('tk_geheim');
			await page.getByLabel('It is in my own network').check();
			await page.getByRole('button', { name: 'Add channel' }).click();
			await expect(page).toHaveURL(/\/admin\/notifications$/);
			await expect(list.locator('b', { hasText: 'My phone' })).toBeVisible();
			await page.getByRole('button', { name: 'Send test to My phone' }).click();
			await expect(list.getByText('Trouble')).toBeVisible();
			await noSidewaysScroll(page);

			await page.getByRole('link', { name: 'Edit My phone' }).click();
			await expect(page.getByRole('textbox', { name: 'Access token' })).toHaveValue('');
			expect(await page.content()).not.toContain('geheim');
			await page.getByRole('textbox', { name: 'Name' }).fill('Our phone');
			await page.getByLabel('A player joined').check();
			await page.getByRole('button', { name: 'Save' }).click();
			await expect(list.getByText('/mine · 16 events')).toBeVisible();

			await list.getByRole('button', { name: /^Turn off.*Our phone/ }).click();
			await expect(list.getByText('Off', { exact: true })).toBeVisible();
			// There is no space for it in a row on a phone.
			await list.getByRole('link', { name: 'Edit Our phone' }).click();
			await page.getByRole('link', { name: 'Remove…', exact: true }).click();
			await page.getByRole('button', { name: 'Remove', exact: true }).click();
			await expect(list.getByText('Our phone')).toHaveCount(0);
		});
	});

test('an invalid field says so beside it', async ({ page }) => {
	await signIn(page);
	await page.goto('/admin/notifications?add=discord');
	await ready(page);
	// Discord is nowhere else.
	await expect(page.getByLabel('It is in my own network')).toHaveCount(0);
	await page.getByLabel('Webhook URL').fill('https://discord.com/channels/1/2');
	await page.getByRole('button', { name: 'Add channel' }).click();
	await expect(page.getByLabel('Webhook URL')).toHaveAccessibleDescription(/webhook URL/);
	// What is said besides fades in.
	await expect(page.locator('[data-sonner-toast]')).toHaveCSS('opacity', '1');
	const { violations } = await new AxeBuilder({ page }).analyze();
	expect(violations).toEqual([]);

	// A proxy in front of it may be.
	await page.getByLabel('Webhook URL').fill('http://127.0.0.1:9/api/webhooks/1/x');
	await page.getByRole('button', { name: 'Add channel' }).click();
	await expect(page.getByLabel('It is in my own network')).toBeVisible();
});

test.describe('without JavaScript', () => {
	test.use({ javaScriptEnabled: false });

	test('a form that was refused comes back, with what is wrong beside its field', async ({
		page
	}) => {
		await signIn(page);
		await page.goto('/admin/notifications?add=ntfy');
		await page.getByRole('textbox', { name: 'Name' }).fill('My phone');
		await page.getByRole('textbox', { name: 'Server' }).fill('ftp://127.0.0.1');
		await page.getByRole('textbox', { name: 'Topic' }).fill('mine');
		await page.getByText('It is in my own network').click();
		await page.getByRole('button', { name: 'Add channel' }).click();
		await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('My phone');
		await expect(page.getByRole('textbox', { name: 'Server' })).toHaveAccessibleDescription(
			/begins with https/
		);
		await expect(page.getByLabel('It is in my own network')).toBeChecked();
	});
});

test('by keyboard, a form is entered at what it asks for, and left to the button that opened it', async ({
	page
}) => {
	await signIn(page);
	await page.goto('/admin/notifications');
	await ready(page);
	const ntfy = page.getByRole('link', { name: 'ntfy', exact: true });
	await ntfy.press('Enter');
	// Its name and its server are filled in.
	await expect(page.getByRole('textbox', { name: 'Topic' })).toBeFocused();
	await page.getByRole('link', { name: 'Cancel' }).press('Enter');
	await expect(page).toHaveURL(/\/admin\/notifications$/);
	await expect(ntfy).toBeFocused();
});

test('on the narrowest phone the words of a button stay off its edges', async ({ page }) => {
	await page.setViewportSize({ width: 320, height: 800 });
	await signIn(page);
	await page.goto('/admin/notifications');
	const buttons = page.getByRole('list', { name: 'Channels' }).locator('.button:visible');
	await expect(buttons).toHaveCount(3);
	const room = await buttons.evaluateAll((all) =>
		all.map((button) => {
			const words = document.createRange();
			words.selectNodeContents(button.querySelector('.clip') ?? button);
			return words.getBoundingClientRect().left - button.getBoundingClientRect().left;
		})
	);
	expect(Math.min(...room)).toBeGreaterThan(7);
	await noSidewaysScroll(page);
});
