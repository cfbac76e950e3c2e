import { chromium, type Page } from '@playwright/test';
import playwright from '../../playwright.config.ts';
import { movedOn, watchShifts } from '../../tests/e2e/walks/shifts.ts';
import { SUPERADMIN } from '../../tests/harness.ts';
import { median, row, type Row } from './measure.ts';
import type { Bench } from './bench.ts';

/** Of the time until a page answers its reader, which varies most, the median of this many. */
const VISITS = 5;

type Visit = {
	requests: number;
	kb: number;
	streams: number;
	interactiveMs: number;
	shift: number;
};

/** What pages cost a browser with an empty cache: bytes on the wire, requests, time until hydrated, layout shift. */
export async function benchPages({ dashboard }: Bench): Promise<Row[]> {
	const browser = await chromium.launch(playwright.use?.launchOptions);
	try {
		await visit(await browser.newPage(), `${dashboard.url}/login`); // warms the server, not the browser
		const logins: Visit[] = [];
		for (let i = 0; i < VISITS; i++) {
			const fresh = await browser.newContext();
			logins.push(await visit(await fresh.newPage(), `${dashboard.url}/login`));
		}
		const login = logins[0]!;
		const interactiveMs = median(logins.map((one) => one.interactiveMs));
		const context = await browser.newContext();
		const page = await context.newPage();
		await page.goto(`${dashboard.url}/login`);
		await page.getByLabel('User name').fill(SUPERADMIN.username);
		await page.getByLabel('Password').fill(SUPERADMIN.password);
		await page.getByRole('button', { name: 'Log in' }).click();
		await page.waitForURL('**/admin');
		const state = await context.storageState();
		const fresh = await browser.newContext({ storageState: state });
		const admin = await visit(await fresh.newPage(), `${dashboard.url}/admin`);
		const other = await browser.newContext({ storageState: state });
		const graphs = await visit(await other.newPage(), `${dashboard.url}/admin/analytics`);
		return [
			row('login page, on the wire', login.kb, 'kB', 56),
			row('login page, requests', login.requests, '', 20.1),
			row('login page, interactive (desktop)', interactiveMs, 'ms', 250),
			row('login page, layout shift', login.shift, '', 0.0101),
			row('/admin, on the wire', admin.kb, 'kB', 120),
			row('/admin, requests', admin.requests, '', 30.1),
			row('/admin, streams', admin.streams, '', 2),
			row('/admin, layout shift', admin.shift, '', 0.0101),
			row('/admin/analytics, on the wire', graphs.kb, 'kB', 290)
		];
	} finally {
		await browser.close();
	}
}

async function visit(page: Page, url: string): Promise<Visit> {
	const session = await page.context().newCDPSession(page);
	await session.send('Network.enable');
	// As on a first visit: nothing is known, but what two places show is fetched once.
	await session.send('Network.clearBrowserCache');
	let [requests, bytes, streams] = [0, 0, 0];
	session.on('Network.requestWillBeSent', () => requests++);
	session.on('Network.responseReceived', ({ response }) => {
		if (response.mimeType === 'text/event-stream') streams++;
	});
	session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
	await watchShifts(page);
	const from = performance.now();
	await page.goto(url);
	await page.waitForFunction(() => 'hydrated' in document.documentElement.dataset);
	const interactiveMs = performance.now() - from;
	await page.waitForTimeout(2_000);
	const shift = (await movedOn(page)).sum;
	await page.close();
	return { requests, kb: bytes / 1000, streams, interactiveMs, shift };
}
