import type { Page } from '@playwright/test';
import { expect, ready, signIn, test } from '../fixtures.ts';
import { furnish } from '../pages.ts';

const timeZone = 'Asia/Kolkata';
const COOKIE = 'craftwarden_time_zone';
test.use({ timezoneId: timeZone });

const PAGES = [
	'/admin',
	'/admin/activity',
	'/admin/activity?view=audit',
	'/admin/analytics?window=6h',
	'/admin/analytics?window=6h&view=table',
	'/admin/backups',
	'/admin/backups?tab=snapshots',
	'/admin/chat',
	'/admin/console',
	'/admin/logs',
	'/admin/players/57a832fa-0a23-3702-a6bd-9d6b7a2706e8'
];

/** What is said of each time, by its own: not how long ago it was, which goes on. */
const timesIn = (html: string) => {
	const page = new DOMParser().parseFromString(html, 'text/html');
	const times = [...page.querySelectorAll<HTMLElement>('main :is(time, a.time)')].map((one) => {
		const at = one.getAttribute('datetime') ?? one.getAttribute('href')!;
		return [at, one.title || one.textContent.trim()] as const;
	});
	return Object.fromEntries(times);
};
const sentTimes = (page: Page, html: string) => page.evaluate(timesIn, html);
const shownTimes = async (page: Page) => page.evaluate(timesIn, await page.content());

const clock = (at: string) => new Date(at).toLocaleTimeString('en-GB', { timeZone });

test('from the second page on the server writes times by the reader’s clock, and they stay', async ({
	page,
	dashboard
}) => {
	await furnish(dashboard);
	await signIn(page);
	await ready(page);
	let compared = 0;
	for (const path of PAGES) {
		const answer = await page.goto(path);
		const html = await answer!.text();
		await ready(page);
		const [sent, shown] = [await sentTimes(page, html), await shownTimes(page)];
		expect(html, path).not.toMatch(/\d UTC\b|in UTC|\(UTC\)<\/th/);
		for (const [at, words] of Object.entries(shown)) {
			if (!(at in sent)) continue;
			compared++;
			expect(sent[at], `${path}: ${at}`).toBe(words);
			if (/:\d\d:\d\d/.test(words) && at.startsWith('20')) expect(words).toContain(clock(at));
		}
	}
	expect(compared).toBeGreaterThan(10);
});

test('without a script the zone is known that the browser has told before', async ({
	browser,
	dashboard,
	page
}) => {
	await signIn(page);
	await ready(page);
	const storageState = await page.context().storageState();
	const plain = await browser.newContext({ javaScriptEnabled: false, storageState });
	const there = await plain.newPage();
	await there.goto(`${dashboard.url}/admin/activity?view=audit`);
	const first = there.locator('main time').first();
	const at = (await first.getAttribute('datetime'))!;
	expect(await first.getAttribute('title')).toMatch(new RegExp(`, ${clock(at)}$`));
	await plain.close();
});

test('a cookie that names no time zone is as none', async ({ page, dashboard }) => {
	await signIn(page);
	await ready(page);
	const cookies = await page.context().cookies();
	expect(cookies.find(({ name }) => name === COOKIE)).toMatchObject({
		...{ path: '/', sameSite: 'Lax' }
	});
	const session = cookies
		.filter(({ name }) => name !== COOKIE)
		.map(({ name, value }) => `${name}=${value}`)
		.join('; ');
	for (const value of [
		...['../../etc/passwd', '<script>alert(1)</script>', 'Mars/Olympus', '%E0%A4%A', '+05:30'],
		'A'.repeat(10_000)
	]) {
		const answer = await fetch(`${dashboard.url}/admin/activity?view=audit`, {
			headers: { cookie: `${session}; ${COOKIE}=${value}` }
		});
		expect(answer.status, value.slice(0, 40)).toBe(200);
		const html = await answer.text();
		expect(html, value.slice(0, 40)).toMatch(/title="[^"]+ \d\d:\d\d:\d\d UTC"/);
		expect(html.includes(value), value.slice(0, 40)).toBe(false);
	}
});

test('whoever comes to the sign-in page has told their zone', async ({ page }) => {
	await page.goto('/login');
	await ready(page);
	const names = async () =>
		(await page.context().cookies()).filter(({ name }) => name === COOKIE).map((one) => one.value);
	expect(await names()).toEqual([expect.stringMatching(/^Asia\/(?:Kolkata|Calcutta)$/)]);
});
