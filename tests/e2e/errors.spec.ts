import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { ADMIN, eventually, signedIn, Visitor, type Dashboard } from '../harness.ts';
import { expect, ready, signIn, test, withoutWorker } from './fixtures.ts';

test.setTimeout(120_000);

const title = (page: Page) => page.getByRole('heading', { level: 1 });
const rail = (page: Page) => page.getByRole('navigation').first();
const inLog = async (dashboard: Dashboard, id: string) => {
	const log = await readFile(path.join(dashboard.dataDir, '../logs/craftwarden.log'), 'utf8');
	return log.split('\n').filter((line) => line.includes(`"id":"${id}"`));
};
type Told = { message: string; count: number; urls: string[]; kind: string };

test('an unknown address says so, and where to go', async ({ page }) => {
	await page.goto('/nothing-here?<script>x=1');
	await expect(title(page)).toHaveText('This page does not exist');
	await expect(page.getByRole('link', { name: 'Log in' })).toBeVisible();
	await signIn(page);
	expect((await page.goto('/admin/nothing-here'))?.status()).toBe(404);
	await expect(title(page)).toHaveText('This page does not exist');
	await expect(rail(page).getByRole('link', { name: 'Players' })).toBeVisible();
	await page.getByRole('main').getByRole('link', { name: 'Overview' }).click();
	await expect(title(page)).toHaveText('Overview');
});

test('an unknown id is reported inside the dashboard, with a way on', async ({ page }) => {
	await signIn(page);
	for (const target of [
		'/admin/operations/20200101T000000000Z-0000',
		'/admin/players/00000000-0000-0000-0000-000000000000',
		'/admin/mods/projects/AAAAAAAA'
	]) {
		expect((await page.goto(target))?.status(), target).toBe(404);
		await expect(title(page)).toHaveText('Not found');
		await expect(rail(page).getByRole('link', { name: 'Players' })).toBeVisible();
		await expect(page.getByRole('main').getByRole('link', { name: 'Overview' })).toBeVisible();
	}
});

test('an address without its parameter says so in words, and leads to where it belongs', async ({
	page
}) => {
	await signIn(page);
	const main = page.getByRole('main');
	for (const [target, place] of [
		['/admin/schedule/edit', 'Schedule'],
		['/admin/backups/confirm', 'Backups'],
		['/admin/players/confirm', 'Players'],
		['/admin/mods/plan', 'Mods']
	] as const) {
		expect((await page.goto(target))?.status(), target).toBe(422);
		await expect(main.getByRole('link', { name: 'Try again' })).toHaveCount(0);
		await expect(main.getByText('does not say what it is about')).toBeVisible();
		await main.getByRole('link', { name: place, exact: true }).click();
		await expect(title(page)).toHaveText(place);
	}
});

test('a page that is not for this role is refused inside the dashboard', async ({ page }) => {
	await signIn(page, ADMIN);
	for (const target of ['/admin/settings', '/admin/errors']) {
		expect((await page.goto(target))?.status(), target).toBe(403);
		await expect(title(page)).toHaveText('Not allowed');
		await expect(rail(page).getByRole('link', { name: 'Players' })).toBeVisible();
		await expect(rail(page).getByRole('link', { name: 'Browser errors' })).toHaveCount(0);
	}
});

test('a page whose data cannot be read leaves its cause in the log, and can be retried', async ({
	page,
	dashboard
}) => {
	await withoutWorker(page);
	await signIn(page);
	await rail(page).getByRole('link', { name: 'Chat' }).click();
	await expect(title(page)).toHaveText('Chat');
	// A link preloads nothing before the page's script is there.
	await ready(page);
	// Nothing was done yet, so there is no journal.
	const journal = path.join(dashboard.dataDir, 'operations');
	await writeFile(journal, 'in the way');
	const overview = rail(page).getByRole('link', { name: 'Overview' });
	// Hovering preloads it: that breaks nothing in the browser, and nothing is reported.
	// Read on its way: the browser does not always keep the body of what a page has fetched.
	const { promise: early, resolve } = Promise.withResolvers<string>();
	await page.route(/\/admin\/__data\.json/, async (route) => {
		const response = await route.fetch();
		resolve(await response.text());
		await route.fulfill({ response });
	});
	await overview.hover();
	expect(await early).toContain('"status":500');
	await overview.click();
	await expect(title(page)).toHaveText('Something went wrong');
	await expect(page.getByRole('main')).toContainText('The journal could not be read');
	const id = await page.getByRole('main').locator('code').textContent();
	expect(id).toMatch(/^[0-9a-f]{8}$/);
	expect(await inLog(dashboard, id!)).toHaveLength(1);
	// The whole page too, not only what the script fetches.
	expect((await page.reload())?.status()).toBe(500);
	await ready(page);
	await expect(rail(page).getByRole('link', { name: 'Players' })).toBeVisible();

	await rename(journal, `${journal}.gone`);
	await page.getByRole('link', { name: 'Try again' }).click();
	await expect(title(page)).toHaveText('Overview');
});

test('a page that breaks in the browser leaves the rest working, is reported once and can be retried', async ({
	page,
	dashboard,
	complaints
}) => {
	await withoutWorker(page);
	await signIn(page);
	await ready(page);
	const told: string[] = [];
	page.on('request', (request) => {
		if (request.method() === 'POST' && request.url().endsWith('/api/errors'))
			told.push(request.postData() ?? '');
	});
	// Data that the page cannot have been written for.
	await page.route('**/admin/settings/__data.json**', async (route) => {
		const response = await route.fetch();
		const answer = JSON.parse((await response.text()).split('\n')[0]!);
		answer.nodes[answer.nodes.length - 1] = { type: 'data', data: [{}], uses: {} };
		await route.fulfill({ response, body: `${JSON.stringify(answer)}\n` });
	});
	await rail(page).getByRole('link', { name: 'Settings' }).click();
	await expect(title(page)).toHaveText('Something went wrong');
	await expect(page.getByRole('main')).toContainText('broke in your browser');
	await expect.poll(() => told.length).toBe(1);

	// Another page works; the broken one breaks again, which is not reported twice.
	await rail(page).getByRole('link', { name: 'Players' }).click();
	await expect(title(page)).toHaveText('Players');
	await rail(page).getByRole('link', { name: 'Settings' }).click();
	await expect(title(page)).toHaveText('Something went wrong');

	await page.unroute('**/admin/settings/__data.json**');
	await page.getByRole('link', { name: 'Try again' }).click();
	await expect(title(page)).toHaveText('Settings');
	expect(told).toHaveLength(1);
	expect(complaints.join()).toMatch(/TypeError/);
	complaints.length = 0;

	await rail(page).locator('.account').getByRole('link', { name: 'Browser errors' }).click();
	await expect(title(page)).toHaveText('Browser errors');
	const row = page.getByRole('main').locator('details');
	await expect(row).toHaveCount(1);
	await expect(row).toContainText('1 report');
	await row.locator('summary').click();
	await expect(row.locator('pre')).toContainText('/_app/immutable/');
	const { body } = await (await signedIn(dashboard)).json('/api/errors');
	expect(body).toMatchObject({ errors: [{ count: 1, account: 'ada', addresses: 1 }] });
});

test('errors of scripts and promises are reported once each, even on the public pages', async ({
	page,
	dashboard,
	complaints
}) => {
	const visitor = await signedIn(dashboard);
	const reported = async (): Promise<Told[]> => (await visitor.json('/api/errors')).body.errors;
	await page.goto('/login');
	await ready(page);
	await page.evaluate(() => {
		const fail = () => {
			throw new Error('A handler <b>broke</b>');
		};
		for (let i = 0; i < 5; i++) setTimeout(fail);
	});
	await eventually(reported, (errors) => errors.length === 1);
	// The server listens to one address every 200 ms.
	await page.waitForTimeout(250);
	await page.evaluate(() => void Promise.reject(new TypeError('Nobody caught this')));
	const errors = await eventually(reported, (found) => found.length === 2);
	const facts = errors.map(({ message, count, kind, urls }) => ({ message, count, kind, urls }));
	expect(facts.sort((a, b) => a.message.localeCompare(b.message))).toEqual([
		{ message: 'A handler <b>broke</b>', count: 1, kind: 'error', urls: ['/login'] },
		{ message: 'TypeError: Nobody caught this', count: 1, kind: 'rejection', urls: ['/login'] }
	]);
	expect(complaints.length).toBeGreaterThan(0);
	complaints.length = 0;
	await signIn(page);
	await page.goto('/admin/errors');
	await expect(page.locator('summary').getByText('A handler <b>broke</b>')).toBeVisible();
});

test('when not even the app can answer, a standalone page is shown', async ({
	page,
	dashboard
}) => {
	// A form on a page elsewhere: refused before any route is asked.
	await page.route('http://elsewhere.test/', (route) =>
		route.fulfill({
			contentType: 'text/html',
			body: `<form method="post" action="${dashboard.url}/login"><button>Go</button></form>`
		})
	);
	await page.goto('http://elsewhere.test/');
	const answered = page.waitForResponse(`${dashboard.url}/login`);
	await page.getByRole('button', { name: 'Go' }).click();
	const response = await answered;
	expect(response.status()).toBe(403);
	expect(await response.text()).not.toMatch(/<script|_app\//);
	await expect(title(page)).toHaveText('This page could not be shown');
	await expect(page.getByText('This request came from another address')).toBeVisible();
	expect(await page.evaluate(() => getComputedStyle(document.body).display)).toBe('grid');
	await page.getByRole('link', { name: 'Public page' }).click();
	await expect(page).toHaveURL(`${dashboard.url}/`);
});

test.describe('without JavaScript', () => {
	test.use({ javaScriptEnabled: false });

	test('oversized input is refused on the page, in words', async ({ page }) => {
		await signIn(page);
		await page.goto('/admin/players?tab=whitelist');
		await page
			.getByRole('main')
			.locator('form input[name=player]')
			.first()
			.evaluate((input: HTMLInputElement) => {
				for (const limit of ['maxlength', 'pattern']) input.removeAttribute(limit);
				input.value = 'x'.repeat(70_000);
				input.form!.submit();
			});
		await expect(page.getByText(/is larger than/).first()).toBeVisible();
		await expect(title(page)).toHaveText('Players');
	});

	test('too many tries are refused with the time to wait', async ({ page, dashboard }) => {
		const visitor = new Visitor(dashboard);
		for (let i = 0; i < 5; i++) await visitor.signIn({ username: 'ada', password: 'wrong' });
		await page.goto('/login');
		await page.getByLabel('User name').fill('ada');
		await page.getByLabel('Password').fill('wrong');
		const answered = page.waitForResponse((response) => response.request().method() === 'POST');
		await page.getByRole('button', { name: 'Log in' }).click();
		expect((await answered).status()).toBe(429);
		await expect(page.getByRole('alert')).toContainText(/Wait \d+ seconds/);
	});
});
