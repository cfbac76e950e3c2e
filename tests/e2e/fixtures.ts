import { expect, test as base, type Page } from '@playwright/test';
import { fillCatalogue } from '../../scripts/demo-registry/catalogue.ts';
import { startRegistry } from '../../scripts/demo-registry/registry.ts';
import { SUPERADMIN, startDashboard, type Account, type Dashboard } from '../harness.ts';

type Each = {
	/** Added to the usual environment of a test's dashboard. */
	env: Record<string, string>;
	/** One for each test, so that no test sees what another did. */
	dashboard: Dashboard;
	/** What the browser complained about; a test fails when it is not empty at the end. */
	complaints: string[];
};

/**
 * Without JavaScript a page that comes anew every few seconds may do so at the very moment when it is left. A browser then
 * shows what was asked for all the same, but Playwright gives up.
 */
function neverInterrupted(page: Page) {
	const goto = page.goto.bind(page);
	page.goto = (...to) =>
		goto(...to).catch((error) => {
			if (!String(error).includes('is interrupted by another navigation')) throw error;
			return goto(...to);
		});
}

export const test = base.extend<Each>({
	env: [{}, { option: true }],
	dashboard: async ({ env }, use) => {
		const dashboard = await startDashboard({ env });
		await use(dashboard);
		await dashboard.dispose();
	},
	baseURL: async ({ dashboard }, use) => use(dashboard.url),
	page: async ({ page, javaScriptEnabled }, use) => {
		if (javaScriptEnabled === false) neverInterrupted(page);
		await use(page);
	},
	complaints: [
		async ({ page }, use) => {
			const complaints: string[] = [];
			page.on('console', (message) => {
				const text = message.text();
				// The worker's script is also fetched again after a test has ended the dashboard.
				const expected = /Failed to load resource|net::ERR_|when fetching the script/.test(text);
				if (['error', 'warning'].includes(message.type()) && !expected) complaints.push(text);
			});
			page.on('pageerror', (error) => complaints.push(String(error)));
			await use(complaints);
			expect(complaints).toEqual([]);
		},
		{ auto: true }
	]
});
export { expect };

/** For `test.use`: of the registry, what fits comes in pieces, so many milliseconds apart. */
export const slowRegistry = (on: RegExp, everyMs: number) => ({
	env: async (
		{ browserName: _ }: { browserName: string },
		use: (env: Each['env']) => Promise<void>
	) => {
		const registry = await startRegistry();
		fillCatalogue(registry);
		registry.misbehave([{ drip: 64, everyMs, on }]);
		await use({ MODRINTH_URL: registry.url });
		await registry.close();
	}
});

/** Waits until the script has taken over; returns at once when there is none. */
export async function ready(page: Page) {
	const scripted = await page.evaluate(() => true).catch(() => false);
	if (scripted) await page.waitForFunction(() => 'hydrated' in document.documentElement.dataset);
}

/**
 * What has just been closed has left the history, as it has by the time somebody types an address: until then that would be
 * given up. Scripted pages only.
 */
export const settled = (page: Page) =>
	page.waitForFunction(() => !history.state?.['sveltekit:states']?.over);

/**
 * As in a browser that has no workers: which data a page's worker has taken charge of is a matter of moments, and
 * Playwright neither holds that back nor sees it. Before the first page.
 */
export const withoutWorker = (page: Page) =>
	page.addInitScript(() => {
		delete (Navigator.prototype as { serviceWorker?: unknown }).serviceWorker;
	});

/**
 * Without JavaScript a page comes anew every few seconds until what it shows is over; then it stays. A document of which
 * nothing has come yet says nothing.
 */
export const comesToRest = (page: Page) =>
	expect(page.locator('html:has(main h1):not(:has(meta[http-equiv="refresh"]))')).toHaveCount(1, {
		timeout: 60_000
	});

/** Sends what the login page's form sends, which sign-in.spec.ts fills in itself, and goes to the overview. */
export async function signIn(page: Page, { username, password }: Account = SUPERADMIN) {
	const { origin } = new URL((await page.request.get('/login')).url());
	const form = { username, password, callbackUrl: '/admin' };
	await page.request.post('/login', { form, headers: { origin }, maxRedirects: 0 });
	await page.goto('/admin');
}

/** The server's state as the page's main card shows it. */
export const state = (page: Page) => page.locator('main .badge.l');

export async function noSidewaysScroll(page: Page) {
	const [content, window] = await page.evaluate(() => [
		document.documentElement.scrollWidth,
		document.documentElement.clientWidth
	]);
	expect(content).toBeLessThanOrEqual(window!);
}

/** Whoever plays by then would be given a minute. */
export async function atOnce(page: Page) {
	const when = page.getByLabel('When', { exact: true });
	if (await when.count()) await when.selectOption('Now');
}
