import { ADMIN, SUPERADMIN } from '../harness.ts';
import { expect, ready, signIn, test } from './fixtures.ts';

test('a wrong password is shown in an alert, and the target page and the name are kept', async ({
	page
}) => {
	await page.goto('/admin/activity');
	await expect(page).toHaveURL(/\/login\?error=SessionRequired&callbackUrl=%2Fadmin%2Factivity/);
	await expect(page.getByRole('main').getByRole('status')).toContainText('Log in to see that page');
	await expect(page.getByLabel('User name')).toBeFocused();
	await expect(page.getByLabel('User name')).toHaveAttribute('autocomplete', 'username');
	await expect(page.getByLabel('Password')).toHaveAttribute('autocomplete', 'current-password');

	await ready(page);
	await page.getByLabel('User name').fill(ADMIN.username);
	await page.getByLabel('Password').fill('not that one');
	await page.getByRole('button', { name: 'Log in' }).click();
	await expect(page).toHaveURL(/error=CredentialsSignin&callbackUrl=%2Fadmin%2Factivity/);
	await expect(page.getByRole('alert')).toContainText('wrong');

	await expect(page.getByLabel('User name')).toHaveValue(ADMIN.username);
	await expect(page.getByLabel('Password')).toBeFocused();
	await page.getByLabel('Password').fill(ADMIN.password);
	await page.getByRole('button', { name: 'Log in' }).click();
	await expect(page).toHaveURL(/\/admin\/activity$/);
});

test('text typed before the script loaded is kept', async ({ page }) => {
	let go = () => {};
	const typed = new Promise<void>((resolve) => (go = resolve));
	await page.route('**/_app/**/*.js', async (route) => {
		await typed;
		await route.continue();
	});
	await page.goto('/login', { waitUntil: 'commit' });
	await page.getByLabel('User name').fill(ADMIN.username);
	await page.getByLabel('Password').fill(ADMIN.password);
	go();
	await ready(page);
	await expect(page.getByLabel('User name')).toHaveValue(ADMIN.username);
	await expect(page.getByLabel('Password')).toHaveValue(ADMIN.password);
});

test('a password can be shown while it is typed, by keyboard too', async ({ page }) => {
	await page.goto('/login');
	await ready(page);
	const password = page.getByLabel('Password');
	await password.fill(ADMIN.password);
	await page.keyboard.press('Tab');
	await page.keyboard.press('Enter');
	await expect(password).toHaveAttribute('type', 'text');
	await expect(page.getByRole('button', { name: 'Hide the password' })).toBeFocused();
	await page.keyboard.press('Enter');
	await expect(password).toHaveAttribute('type', 'password');
	await expect(password).toHaveValue(ADMIN.password);
});

test.describe('without JavaScript', () => {
	test.use({ javaScriptEnabled: false });
	test('the form has no button that does nothing, and logs in', async ({ page }) => {
		await page.goto('/login');
		await expect(page.getByRole('main').getByRole('button')).toHaveText(['Log in']);
		await page.getByLabel('User name').fill(ADMIN.username);
		await page.getByLabel('Password').fill(ADMIN.password);
		await page.getByRole('button', { name: 'Log in' }).click();
		await expect(page).toHaveURL(/\/admin$/);
		await expect(page.getByRole('banner').getByText('Admin', { exact: true })).toBeVisible();
	});
});

test('an admin is shown as Admin and never offered what they may not do', async ({ page }) => {
	await signIn(page, ADMIN);
	await expect(page.getByRole('banner').getByText('Admin', { exact: true })).toBeVisible();
	await expect(page.getByRole('link', { name: 'Settings' })).toHaveCount(0);
	const response = await page.goto('/admin/settings');
	expect(response?.status()).toBe(403);
	await expect(page.getByText('superadmin')).toBeVisible();
});

test('a superadmin is shown as such; logging out ends the session', async ({ page }) => {
	await signIn(page, SUPERADMIN);
	await expect(page.getByRole('banner').getByText('Superadmin', { exact: true })).toBeVisible();
	await page.getByRole('button', { name: /Log out/ }).click();
	await expect(page).toHaveURL(/\/$/);
	await page.goto('/admin');
	await expect(page).toHaveURL(/\/login\?error=SessionRequired/);
});

test('a session that was ended elsewhere leads to the login page', async ({ page, browser }) => {
	await signIn(page, SUPERADMIN);
	const other = await browser.newContext({ baseURL: new URL(page.url()).origin });
	const second = await other.newPage();
	await signIn(second, SUPERADMIN);
	await second.goto('/admin/settings');
	await second.getByRole('button', { name: /everywhere/i }).click();
	await expect(page).toHaveURL(/\/login\?error=SessionRequired/, { timeout: 20_000 });
	await other.close();
});
