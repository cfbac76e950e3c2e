import type { Page } from '@playwright/test';
import { appendFile, mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { ADMIN, type Dashboard } from '../harness.ts';
import { expect, noSidewaysScroll, ready, signIn, test } from './fixtures.ts';
import { movedOn, slowDown, watchShifts } from './walks/shifts.ts';

const TRACE = 'java.lang.IllegalStateException: boom\n\tat a.B.c(B.java:1)\n\tat a.D.e(D.java:2)\n';
const line = (text: string, level = 'INFO') => `[12:00:00] [Server thread/${level}]: ${text}\n`;
const LOG =
	line('Starting minecraft server version 1.21.1') +
	line('Steve[/203.0.113.7:5555] logged in with entity id 1 at (0.0, 64.0, 0.0)') +
	line('<b>not bold</b> §aand not green') +
	line("Can't keep up!", 'WARN') +
	line('Exception in server tick loop', 'ERROR') +
	TRACE;
const GUILTY =
	'\tat dev.lantern.keeper.Ticker.method_18765(Ticker.java:41) ~[lantern-keeper-1.4.2.jar:?]\n';
const CRASH =
	'---- Minecraft Crash Report ----\n\nDescription: Ticking entity\n\n' + TRACE + GUILTY;

async function write({ gameDir }: Dashboard, name: string, text: string | Buffer) {
	const file = path.join(gameDir, name);
	await mkdir(path.dirname(file), { recursive: true });
	await writeFile(`${file}.new`, text);
	await rename(`${file}.new`, file);
}
const latest = (dashboard: Dashboard, text: string) => write(dashboard, 'logs/latest.log', text);

const lines = (page: Page) => page.getByRole('region', { name: 'Log lines' });
const rows = (page: Page) => lines(page).getByRole('listitem');

for (const [width, javaScriptEnabled] of [
	[1280, true],
	[390, true],
	[390, false]
] as const)
	test.describe(`at ${width} px ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, () => {
		const settled = (page: Page) => (javaScriptEnabled ? ready(page) : null);
		test.use({ javaScriptEnabled, viewport: { width, height: 844 } });

		test('the log is read, filtered, searched and linked to', async ({ page, dashboard }) => {
			await latest(dashboard, LOG);
			await signIn(page);
			await page.goto('/admin/logs');
			await settled(page);
			await expect(rows(page)).toHaveCount(5);
			await expect(lines(page)).toContainText('<b>not bold</b>');
			await noSidewaysScroll(page);

			await page.getByLabel('Level').selectOption('Warnings and errors');
			if (!javaScriptEnabled) await page.getByRole('button', { name: 'Find' }).click();
			await expect(page).toHaveURL(/level=WARN%2CERROR%2CFATAL/);
			await expect(rows(page)).toHaveCount(2);
			await expect(page.getByLabel('Level')).toHaveValue('WARN,ERROR,FATAL');
			const trace = lines(page).getByText('a.D.e(D.java:2)');
			await expect(trace).toBeHidden();
			await lines(page).getByText('3 more lines').click();
			await expect(trace).toBeVisible();

			// Lines show their level as a mark, which is no text of theirs.
			await page.goto('/admin/logs?q=WARN');
			await settled(page);
			await page.getByRole('link', { name: 'Show only warnings' }).click();
			await expect(page).toHaveURL(/\/admin\/logs\?level=WARN$/);
			await expect(rows(page)).toHaveCount(1);

			await page.goto('/admin/logs');
			await settled(page);
			await page.getByLabel('Find text').fill('LOGGED');
			// With JavaScript the lines follow what is typed.
			if (!javaScriptEnabled) await page.getByRole('button', { name: 'Find' }).click();
			await expect(page).toHaveURL(/q=LOGGED/);
			await expect(rows(page)).toHaveCount(1);
			await expect(page.locator('mark')).toHaveText('logged');

			await expect(page.getByRole('heading', { name: '1 match', exact: true })).toBeVisible();
			// What stood around it is one press away.
			await rows(page).getByRole('link', { name: 'In context' }).click();
			await expect(page).toHaveURL(/at=.+#line-/);
			const marked = page.locator('.marked');
			await expect(marked).toContainText('Steve');
			await expect(rows(page)).toHaveCount(5);
			await expect(marked).toBeInViewport();
			// The search is kept, and all lines are there.
			await expect(page.locator('mark')).toHaveText('logged');
			await expect(page.getByLabel('Find text')).toHaveValue('LOGGED');
			await expect(page.getByLabel('Level')).toHaveValue('');
			await page.getByRole('link', { name: 'Back to the matches' }).click();
			await expect(page.getByRole('heading', { name: '1 match', exact: true })).toBeVisible();
			await expect(page.getByLabel('Find text')).toHaveValue('LOGGED');

			// Without its words the entry stays among its neighbours.
			await rows(page).getByRole('link', { name: 'In context' }).click();
			await expect(rows(page)).toHaveCount(5);
			if (javaScriptEnabled) await page.getByLabel('Find text').fill('');
			else await page.getByRole('link', { name: 'Clear the search' }).click();
			await expect(page).not.toHaveURL(/[?&]q=L/);
			await expect(page.locator('mark')).toHaveCount(0);
			await expect(marked).toContainText('Steve');
			await expect(rows(page)).toHaveCount(5);

			// Who is sent to an entry sees all of it.
			await page.goto('/admin/logs?level=ERROR');
			await settled(page);
			const error = rows(page).filter({ hasText: 'Exception in server tick loop' });
			// The address without the search, as a line is linked to from elsewhere.
			const found = await error.getByRole('link').getAttribute('href');
			await page.goto(found!.replace('level=ERROR&', ''));
			await settled(page);
			await expect(marked).toContainText('Exception in server tick loop');
			await expect(trace).toBeVisible();
			await page.getByRole('link', { name: 'To the newest lines' }).click();
			await expect(page).toHaveURL(/\/admin\/logs$/);
		});

		test('a search says of each line on which day it was written, and of how many', async ({
			page,
			dashboard
		}) => {
			await latest(dashboard, LOG);
			for (const day of [1, 2])
				await write(
					dashboard,
					`logs/2026-01-0${day}-1.log.gz`,
					gzipSync(line('Stopping the server').repeat(day))
				);
			await signIn(page);
			await page.goto('/admin/logs?q=stopping');
			await settled(page);
			await expect(page.getByRole('heading', { name: '3 matches in 2 files' })).toBeVisible();
			await expect(rows(page).getByText('1 Jan 2026', { exact: true })).toHaveCount(1);
			await expect(rows(page).getByText('2 Jan 2026', { exact: true })).toHaveCount(1);
			await noSidewaysScroll(page);
		});

		test('rotated logs and crash reports are listed, read and downloaded', async ({
			page,
			dashboard
		}) => {
			await latest(dashboard, LOG);
			await write(dashboard, 'logs/2026-01-02-1.log.gz', gzipSync(line('long ago')));
			await write(dashboard, 'crash-reports/crash-2026-01-02_10.00.00-server.txt', CRASH);
			await signIn(page);
			await page.goto('/admin/logs?view=files');
			await settled(page);
			await expect(page.getByRole('listitem').filter({ hasText: /\.log|\.txt/ })).toHaveCount(3);
			await noSidewaysScroll(page);
			await page.getByRole('link', { name: '2026-01-02-1.log.gz', exact: true }).click();
			await expect(rows(page)).toHaveText(/long ago/);
			await rows(page).getByRole('link').click();
			await page.getByRole('link', { name: 'To the end of this log' }).click();
			await expect(page).toHaveURL(/\?file=2026-01-02-1\.log\.gz$/);
			await expect(page.getByRole('link', { name: 'To the current log' })).toBeVisible();
			const download = page.waitForEvent('download');
			await page.getByRole('link', { name: 'Download' }).click();
			expect((await download).suggestedFilename()).toBe('2026-01-02-1.log');

			await page.goto('/admin/logs?view=files&kind=crash');
			await settled(page);
			await page.getByRole('link', { name: /^crash-/ }).click();
			await expect(lines(page).getByText('Description: Ticking entity')).toBeVisible();
			await expect(lines(page)).toContainText('a.D.e(D.java:2)');
			const guilty = rows(page).filter({ hasText: 'Names a suspect' });
			await expect(guilty).toHaveCount(1);
			await expect(guilty).toContainText('lantern-keeper-1.4.2.jar');
			await page.getByRole('link', { name: 'To the line that names a suspect' }).click();
			await expect(guilty).toBeInViewport();
			await noSidewaysScroll(page);
			// The browser's own search finds all of it; the numbers are where there is room for them.
			const number = rows(page).first().getByRole('link', { name: 'Link to line 1', exact: true });
			await expect(number).toBeVisible({ visible: width > 480 });
		});

		test('a link to a crash report leads to the line that names a suspect', async ({
			page,
			dashboard
		}) => {
			const name = 'crash-2026-01-02_10.00.00-server.txt';
			const frames = Array.from({ length: 80 }, (_, i) => `\tat a.B.c${i}(B.java:${i})\n`).join('');
			await write(
				dashboard,
				`crash-reports/${name}`,
				CRASH.replace(GUILTY, frames + GUILTY + frames)
			);
			await signIn(page);
			await page.goto(`/admin/logs?file=${name}#suspect`);
			await settled(page);
			await expect(rows(page).filter({ hasText: 'Names a suspect' })).toBeInViewport();
			await expect(lines(page).getByText('Ticking entity')).not.toBeInViewport();
			await page.goto(`/admin/logs?file=${name}`);
			await settled(page);
			await expect(lines(page).getByText('Ticking entity')).toBeInViewport();
		});

		test('in context, the way leads from one match to the next', async ({ page, dashboard }) => {
			const others = Array.from({ length: 120 }, (_, i) => line(`nothing ${i}`)).join('');
			const found = [1, 2, 3].map((nth) => line(`needle ${nth}`));
			await latest(dashboard, others + found.join(others) + others);
			await signIn(page);
			await page.goto('/admin/logs?q=needle');
			await settled(page);
			await rows(page).nth(1).getByRole('link', { name: 'In context' }).click();
			const matches = page.getByRole('group', { name: 'Matches' });
			const marked = page.locator('.marked');
			const at = async (nth: number) => {
				await expect(page.getByText(`Match ${nth} of 3`)).toBeVisible();
				await expect(marked).toContainText(`needle ${nth}`);
				await expect(marked).toBeInViewport();
			};
			await at(2);
			await matches.getByRole('link', { name: 'Next match' }).click();
			await at(3);
			await expect(matches.getByRole('button', { name: 'Next match' })).toBeDisabled();
			await matches.getByRole('link', { name: 'Previous match' }).click();
			await at(2);
			if (javaScriptEnabled) {
				await page.keyboard.press('Shift+F3');
				await at(1);
				await page.keyboard.press('F3');
				await at(2);
				// All of them were one step.
				await page.goBack();
				await expect(page.getByRole('heading', { name: '3 matches' })).toBeVisible();
			}
			await noSidewaysScroll(page);
		});

		test('with no current log the earlier ones are offered', async ({ page, dashboard }) => {
			await write(dashboard, 'logs/2026-01-02-1.log.gz', gzipSync(line('long ago')));
			await signIn(page);
			const earlier = page.getByRole('main').getByRole('link', { name: 'Earlier logs' });
			await page.goto('/admin/logs');
			await earlier.click();
			await expect(page).toHaveURL(/view=files/);
			// Above the first line of a new log, too.
			await latest(dashboard, LOG);
			await page.goto('/admin/logs');
			await expect(earlier).toBeVisible();
		});

		test('missing files and entries say so', async ({ page }) => {
			await signIn(page);
			const main = page.getByRole('main');
			for (const query of ['', '?q=nothing']) {
				await page.goto(`/admin/logs${query}`);
				await expect(main).toContainText(/no (current )?log in this folder/i);
				await expect(main.getByText(/^Live$|No line matches/)).toHaveCount(0);
				await expect(main.getByRole('link', { name: 'Download' })).toHaveCount(0);
			}
			await page.goto('/admin/logs?view=files');
			await expect(main.getByText(/log/i).filter({ hasText: 'when it starts' })).toHaveCount(1);
			await page.goto('/admin/logs?file=..%2F..%2Fetc%2Fpasswd');
			await expect(page.getByRole('alert')).toContainText(/no such log/i);
			await page.getByRole('link', { name: 'Show the newest lines' }).click();
			await expect(page).toHaveURL(/\/admin\/logs$/);
		});
	});

test('new lines arrive while the log is followed, and wait while it is paused', async ({
	page,
	dashboard
}) => {
	await latest(dashboard, LOG);
	await signIn(page);
	await page.goto('/admin/logs');
	await ready(page);
	await expect(rows(page)).toHaveCount(5);
	const file = path.join(dashboard.gameDir, 'logs/latest.log');
	await appendFile(file, line('fresh one'));
	await expect(rows(page).last()).toContainText('fresh one');
	await page.getByRole('button', { name: 'Pause' }).click();
	await expect(page.getByText('Paused')).toBeVisible();
	await appendFile(file, line('unheard'));
	const asked = page.waitForRequest(/\/api\/logs\?/, { timeout: 3000 });
	await expect(asked).rejects.toThrow();
	await expect(lines(page)).not.toContainText('unheard');
	await page.getByRole('button', { name: 'Resume' }).click();
	await expect(rows(page).last()).toContainText('unheard');
});

for (const viewport of [
	{ width: 1920, height: 1080 },
	{ width: 1440, height: 900 },
	{ width: 390, height: 844 }
])
	test(`a log is followed until a person scrolls up, at ${viewport.width} px`, async ({
		page,
		dashboard
	}) => {
		const all = Array.from({ length: 900 }, (_, i) =>
			line(`number ${i} ${'wide '.repeat((i * 37) % 150)}`)
		);
		await latest(dashboard, all.join(''));
		await page.setViewportSize(viewport);
		await signIn(page);
		await page.goto('/admin/logs');
		await ready(page);
		const file = path.join(dashboard.gameDir, 'logs/latest.log');
		const toEnd = page.getByRole('button', { name: /To the last line|new lines?$/ });
		const write = async (name: string) => {
			await appendFile(
				file,
				line(`${name} ${'words '.repeat(90)}`) + TRACE + line(`${name}, its end`)
			);
			await expect(lines(page)).toContainText(`${name}, its end`);
		};
		for (const name of ['first', 'second', 'third']) {
			await write(name);
			await expect(rows(page).last()).toBeInViewport();
			await expect(toEnd).toBeHidden();
		}
		// An event of scrolling that comes when the content has grown since, as it does while the page is still laid out.
		await lines(page).evaluate((element) => {
			(element.firstElementChild as HTMLElement).style.paddingBottom = '500px';
			element.dispatchEvent(new Event('scroll'));
		});
		await write('fourth');
		await expect(toEnd).toBeHidden();
		await lines(page).evaluate((element) => {
			(element.firstElementChild as HTMLElement).style.paddingBottom = '';
		});
		await expect(rows(page).last()).toBeInViewport();
		await lines(page).hover();
		await page.mouse.wheel(0, -300);
		await expect(toEnd).toBeVisible();
		const top = () => lines(page).evaluate((element) => element.scrollTop);
		const read = await top();
		await appendFile(file, line('unseen'));
		await expect(toEnd).toContainText('1 new line');
		expect(await top()).toBe(read);
		await toEnd.click();
		await expect(rows(page).last()).toContainText('unseen');
		await write('after');
		await expect(rows(page).last()).toBeInViewport();
		await expect(toEnd).toBeHidden();
	});

test('a level is chosen while the log is still being scrolled', async ({ page, dashboard }) => {
	await latest(dashboard, LOG + line('one of very many').repeat(300));
	await signIn(page);
	await page.goto('/admin/logs');
	await ready(page);
	const before = await lines(page).elementHandle();
	await lines(page).evaluate((one) => (one.scrollTop -= 900));
	await expect(page.getByRole('button', { name: 'To the last line' })).toBeVisible();
	await page.getByLabel('Level').selectOption('Warnings and errors');
	await expect(rows(page)).toHaveCount(2);
	// Of its last movement the browser tells after it has gone: nothing is thrown.
	await before!.evaluate((one) => one.dispatchEvent(new Event('scroll')));
});

test('of a long log only what is on the screen is in the DOM, and older lines load by scrolling', async ({
	page,
	dashboard
}) => {
	const all = Array.from({ length: 3000 }, (_, i) => line(`number ${i} ${'x'.repeat(i % 300)}`));
	await latest(dashboard, all.join(''));
	await signIn(page);
	await page.goto('/admin/logs');
	await ready(page);
	await expect(rows(page).last()).toContainText('number 2999');
	await lines(page).hover();
	await expect(async () => {
		await page.mouse.wheel(0, -20_000);
		await expect(lines(page).getByText('number 0 ')).toBeVisible({ timeout: 200 });
	}).toPass();
	await expect(lines(page)).toContainText('The log begins here.');
	// There is no earlier one.
	await expect(page.getByRole('link', { name: 'Earlier logs' })).toHaveCount(0);
	expect(await rows(page).count()).toBeLessThan(120);
	await expect(rows(page).first()).toHaveAttribute('aria-setsize', '3000');
	await page.getByRole('button', { name: 'To the last line' }).click();
	await expect(lines(page).getByText('number 2999')).toBeVisible();
	expect(await rows(page).count()).toBeLessThan(120);
});

test('without JavaScript older lines are the next page', async ({ browser, dashboard }) => {
	const all = Array.from({ length: 300 }, (_, i) => line(`number ${i}.`));
	await latest(dashboard, all.join(''));
	const plain = await browser.newContext({ baseURL: dashboard.url, javaScriptEnabled: false });
	const page = await plain.newPage();
	await signIn(page);
	await page.goto('/admin/logs');
	await expect(rows(page)).toHaveCount(200);
	await expect(rows(page).last()).toBeInViewport();
	await expect(page.getByRole('link', { name: 'To the last line' })).toHaveCount(0);
	await lines(page).evaluate((one) => one.scrollTo(0, -one.scrollHeight));
	await page.getByRole('link', { name: 'Older' }).click();
	await expect(rows(page)).toHaveCount(100);
	await expect(rows(page).first()).toContainText('number 0.');
	await page.getByRole('link', { name: 'To the newest lines' }).click();
	await expect(rows(page).last()).toContainText('number 299.');
	await plain.close();
});

async function copyExcerpt(page: Page, told: RegExp) {
	await page.getByRole('link', { name: /Excerpt/ }).click();
	await expect(page.getByText(told)).toBeVisible();
	return page.evaluate(() => navigator.clipboard.readText());
}

test('an excerpt has no addresses, whoever copies it; an admin sees none at all', async ({
	page,
	context,
	dashboard
}) => {
	await latest(dashboard, LOG);
	await context.grantPermissions(['clipboard-read', 'clipboard-write']);
	await signIn(page);
	await page.goto('/admin/logs');
	await ready(page);
	await expect(lines(page)).toContainText('203.0.113.7');
	const copied = await copyExcerpt(page, /Excerpt copied/);
	expect(copied).toContain('File: latest.log');
	expect(copied).toContain('a.D.e(D.java:2)');
	expect(copied).not.toContain('203.0.113.7');

	// Otherwise it goes to the login by itself, and what is opened next is called off.
	await page.goto('about:blank');
	await context.clearCookies();
	await signIn(page, ADMIN);
	await page.goto('/admin/logs');
	await expect(lines(page)).toContainText('Steve[/***');
	await expect(page.locator('body')).not.toContainText('203.0.113.7');
});

test('an excerpt of a search has every line that the heading counts', async ({
	page,
	context,
	dashboard
}) => {
	const all = Array.from({ length: 300 }, (_, i) => line(`number ${i}.`));
	await latest(dashboard, all.join(''));
	await context.grantPermissions(['clipboard-read', 'clipboard-write']);
	await signIn(page);
	await page.goto('/admin/logs?q=number');
	await ready(page);
	await page.getByRole('link', { name: 'Look further back' }).click();
	await expect(page.getByRole('heading', { name: /^300 matches/ })).toBeVisible();
	const copied = await copyExcerpt(page, /mods and 300 lines,/);
	expect(copied.match(/number \d+\./g)).toHaveLength(300);
});

test('an excerpt of a search that finds nothing has the lines without it', async ({
	page,
	context,
	dashboard
}) => {
	await latest(dashboard, LOG);
	await context.grantPermissions(['clipboard-read', 'clipboard-write']);
	await signIn(page);
	await page.goto('/admin/logs?q=nowhere');
	await ready(page);
	const copied = await copyExcerpt(page, /the lines without the search/);
	expect(copied).toContain('No line matches the search: these are the lines without it.');
	expect(copied).toContain('Exception in server tick loop');
	expect(copied).toMatch(/\nMods: \d+\n- .+/);
});

test('the smallest phone shows seven entries of two lines, the newest last; its search opens by one press', async ({
	page,
	dashboard
}) => {
	await page.setViewportSize({ width: 320, height: 640 });
	const said = (i: number) => line(`[Not Secure] <Mossfeather> number ${i} of them`);
	await latest(dashboard, Array.from({ length: 40 }, (_, i) => said(i)).join(''));
	await signIn(page);
	await page.goto('/admin/logs');
	await ready(page);
	await expect(rows(page).last()).toBeInViewport({ ratio: 1 });
	const seen = await rows(page).evaluateAll((items) => {
		const box = document.querySelector('.scroller')!.getBoundingClientRect();
		return items.filter((item) => {
			const { top, bottom } = item.getBoundingClientRect();
			return top >= box.top && bottom <= box.bottom;
		}).length;
	});
	expect(seen).toBeGreaterThanOrEqual(7);
	// The window is the log's, and a line what it says.
	expect((await lines(page).boundingBox())!.height).toBeGreaterThan(360);
	expect((await rows(page).last().getByText('INFO').boundingBox())!.width).toBeLessThan(2);
	const search = page.getByLabel('Find text');
	await expect(search).toBeHidden();
	await page.locator('main summary').filter({ hasText: 'Find' }).click();
	await search.fill('number 7 ');
	await expect(rows(page)).toHaveCount(1);
	await expect(search).toBeVisible();
	await page.reload();
	await expect(search).toBeVisible();
	await noSidewaysScroll(page);
});

test.describe('with a finger', () => {
	test.use({ hasTouch: true });
	test('a phone on its side shows one line of the log in one row', async ({ page, dashboard }) => {
		await page.setViewportSize({ width: 844, height: 390 });
		await latest(dashboard, LOG);
		await signIn(page);
		await page.goto('/admin/logs');
		await ready(page);
		const row = rows(page).filter({ hasText: "Can't keep up!" });
		expect((await row.boundingBox())!.height).toBeLessThan(30);

		// Upright, there is room for a finger on the time; on its side it is no link.
		const pressed = (y: number) =>
			row.getByRole('link').evaluate((link, y) => {
				const { left, top } = link.getBoundingClientRect();
				return document.elementFromPoint(left + 4, top + y) === link;
			}, y);
		expect(await pressed(4)).toBe(false);
		await page.setViewportSize({ width: 390, height: 844 });
		for (const y of [1, 22, 43]) expect(await pressed(y), `${y} px below its top`).toBe(true);
	});
});

for (const width of [1280, 390])
	test(`a slow machine shows the newest lines where they stay at ${width} px`, async ({
		page,
		dashboard
	}) => {
		const long = 'of a length that takes more than one line on a phone, and then some';
		await latest(dashboard, Array.from({ length: 200 }, (_, i) => line(`${i} ${long}`)).join(''));
		await page.setViewportSize({ width, height: 800 });
		await signIn(page);
		await watchShifts(page);
		await slowDown(page);
		// The page is drawn while it still comes in, each time at another line.
		for (let visit = 0; visit < 3; visit++) {
			await page.goto('/admin/logs');
			await ready(page);
			await expect(rows(page).last()).toContainText('199 of a length');
			await page.waitForTimeout(500);
			const { sum, what } = await movedOn(page);
			expect(sum, what).toBeLessThanOrEqual(0.01);
		}
	});
