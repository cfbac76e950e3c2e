import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { processesIn } from '../harness.ts';
import { comesToRest, expect, noSidewaysScroll, ready, signIn, state, test } from './fixtures.ts';
import { startGame } from './game.ts';
import { movedOn, watchShifts } from './walks/shifts.ts';

// The same button that comes and goes takes four times as much of a phone.
for (const [width, limit] of [
	[320, 0.03],
	[1280, 0.01],
	[1920, 0.01]
] as const)
	test(`starting stays on this page, shows its steps, and moves nothing at ${width} px`, async ({
		page
	}) => {
		await page.setViewportSize({ width, height: 900 });
		await signIn(page);
		await ready(page);
		// By then everything that was still loading is known.
		await expect(page.getByText('Still finding out')).toHaveCount(0);
		await watchShifts(page, { pressed: true, list: 'section:has(a[href="/admin/chat"]) ul' });
		await page.getByRole('button', { name: 'Start', exact: true }).click();
		await expect(page.getByRole('region', { name: 'In progress' })).toContainText('Start server');
		// What it brings may come late on a busy machine, and be seen only then.
		await movedOn(page);
		await expect(state(page)).toHaveText(/Running/);
		await expect(page.getByRole('region', { name: 'Last operation' })).toContainText('succeeded');
		await expect(page).toHaveURL(/\/admin$/);
		const player = page.getByRole('list', { name: 'Who plays' }).getByRole('link').first();
		await expect(player).toHaveAttribute('href', /^\/admin\/players\/[0-9a-f-]{36}$/);
		const { sum, what } = await movedOn(page);
		expect(sum, what).toBeLessThanOrEqual(limit);
		// Whatever else gives way in the bar.
		await expect(page.getByRole('banner').locator('.tps')).toBeInViewport({ ratio: 1 });
		await noSidewaysScroll(page);
	});

test('a crash has a card that leads to what helps, and disappears when somebody has looked', async ({
	page,
	dashboard
}) => {
	await startGame(dashboard);
	await signIn(page);
	await ready(page);
	const [pid] = await processesIn(dashboard.gameDir);
	process.kill(pid!, 'SIGKILL');
	await expect(state(page)).toHaveText(/Crashed/);
	const card = page.getByRole('region', { name: /The server crashed/ });
	await expect(card).toContainText('Whose fault');
	await expect(page.getByText(/Done: the server/)).toHaveCount(0);
	await expect(page.getByText('Nothing needs your attention')).toHaveCount(0);
	await page.getByRole('button', { name: 'Start', exact: true }).click();
	await expect(state(page)).toHaveText(/Running/);
	await expect(card).toContainText(/The server crashed (just now|.* ago).*, and was started again/);
	await card.getByRole('button', { name: /Show the log/ }).click();
	// The run since then has a log of its own.
	await expect(page).toHaveURL(/\/admin\/logs\?at=/);
	await expect(page.getByRole('heading', { name: /^\d{4}-\d\d-\d\d-\d+\.log\.gz$/ })).toBeVisible();
	await page.goto('/admin');
	await expect(card).toHaveCount(0);
});

test('what the demo offers to try waits while its server does not answer', async ({
	page,
	dashboard
}) => {
	await startGame(dashboard);
	await signIn(page);
	const offers = page.getByRole('region', { name: 'Try this' });
	await expect(offers).toBeVisible();
	const pids = await processesIn(dashboard.gameDir);
	const signal = (name: NodeJS.Signals) => pids.forEach((pid) => process.kill(pid, name));
	signal('SIGSTOP');
	await expect(state(page)).toHaveText(/No answer/, { timeout: 60_000 });
	await expect(offers).toHaveCount(0);
	signal('SIGCONT');
	await expect(state(page)).toHaveText(/Running/, { timeout: 60_000 });
	await expect(offers).toBeVisible();
});

for (const javaScriptEnabled of [true, false])
	test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
		test.use({ javaScriptEnabled });

		test('what the demo offers to try takes little of a phone, can be put away, and comes back', async ({
			page
		}) => {
			await page.setViewportSize({ width: 390, height: 844 });
			await signIn(page);
			await comesToRest(page);
			const offers = page.getByRole('region', { name: 'Try this' });
			await expect(offers.getByRole('button', { name: 'Start the server' })).toBeVisible();
			// The others are a line each.
			const later = offers.getByRole('link', { name: /^Break the server/ });
			await expect(later).toHaveAttribute('href', /do=install&project=/);
			expect((await offers.boundingBox())!.height).toBeLessThan(520);
			await offers.getByRole('button', { name: /^Dismiss/ }).click();
			await expect(offers).toHaveCount(0);
			await page.goto('/admin');
			await expect(page.getByRole('region', { name: 'Server status' })).toBeVisible();
			await expect(offers).toHaveCount(0);
			await page.goto('/admin/settings#about');
			await page.getByRole('button', { name: 'Show on the overview' }).click();
			await expect(page).toHaveURL(/\/admin$/);
			await expect(offers).toBeVisible();
		});
	});

test('on a phone what is empty takes little of the page', async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 844 });
	await signIn(page);
	const height = async (name: string) =>
		(await page.getByRole('region', { name, exact: true }).boundingBox())!.height;
	await expect(page.getByText('Nobody has said anything yet.')).toBeVisible();
	expect(await height('Chat')).toBeLessThan(110);
	await expect(page.getByText(/^No measurements of the last 6 hours/)).toBeVisible();
	expect(await height('The last 6 hours')).toBeLessThan(130);
	const whole = await page.evaluate(() => document.documentElement.scrollHeight);
	// What there is to try in the demo is not empty.
	expect(whole - (await height('Try this'))).toBeLessThan(1400);
});

test('a backup that a change of mods has made is shown while the change goes on', async ({
	page,
	dashboard
}) => {
	const visitor = await startGame(dashboard);
	await signIn(page);
	await ready(page);
	const glance = page.getByRole('region', { name: 'At a glance' });
	await expect(glance).toContainText('None yet');
	const { mods } = (await visitor.json('/api/mods/updates?refresh=1')).body;
	const { fileName } = mods.find((one: { latest: unknown }) => one.latest);
	// It goes on until its countdown is over, and so does its answer.
	const change = { fileNames: [fileName], skipTrial: true, backupFirst: true, delaySeconds: 300 };
	visitor.json('/api/mods/update', change).catch(() => {});
	await expect(glance).toContainText(/Newest backup\s*(just now|1 minute ago)/, {
		timeout: 30_000
	});
	await expect(page.getByRole('region', { name: 'In progress' })).toContainText('Update');
});

test.describe('without JavaScript', () => {
	test.use({ javaScriptEnabled: false });

	test('Start names a damaged jar first, and leads back here', async ({ page, dashboard }) => {
		await writeFile(path.join(dashboard.gameDir, 'mods/broken.jar'), 'PK no jar');
		await signIn(page);
		await expect(async () => {
			await page.goto('/admin');
			await comesToRest(page);
			await expect(page.getByRole('heading', { name: /A mod is damaged/ })).toBeVisible();
		}).toPass();
		await page.getByRole('button', { name: 'Start', exact: true }).click();
		await expect(page.getByText('broken.jar')).toBeVisible();
		await page.getByRole('button', { name: 'Start', exact: true }).click();
		await expect(page).toHaveURL(/\/admin$/);
		// Not as it was before the press.
		expect(await state(page).textContent()).not.toMatch(/Stopped/);
		await comesToRest(page);
		// It was right: the card says what came of it.
		await expect(state(page)).toHaveText(/Crashed/);
		await expect(page.getByRole('region', { name: /The server crashed/ })).toContainText(
			'broken.jar'
		);
	});
});

test('the title stands at the same height on every page', async ({ page }) => {
	await signIn(page);
	const text = async (address: string) => {
		await page.goto(address);
		await ready(page);
		return page.getByRole('heading', { level: 1 }).evaluate((heading) => {
			const range = document.createRange();
			range.selectNodeContents(heading);
			return range.getBoundingClientRect().top;
		});
	};
	// Without a sentence below it, with one, and with buttons beside it.
	const first = await text('/admin/activity');
	for (const address of ['/admin/schedule', '/admin/stats', '/admin/mods'])
		expect(await text(address), address).toBe(first);
});

test('on a very wide screen every page has the same edges', async ({ page }) => {
	await signIn(page);
	for (const width of [1440, 1920]) {
		await page.setViewportSize({ width, height: 900 });
		const edges = async (name: string) => {
			await page.goto(`/admin${name && `/${name}`}`);
			await ready(page);
			const left = (await page.getByRole('heading', { level: 1 }).boundingBox())!.x;
			const rights = await page
				.locator('main .panel')
				.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().right)));
			return [left, Math.max(...rights)];
		};
		const first = await edges('analytics');
		// Nothing is left over at the right.
		expect(first[1], `${width} px`).toBe(width - 24);
		for (const name of ['', 'mods', 'stats', 'chat', 'console', 'activity', 'logs', 'settings'])
			expect(await edges(name), `${name} at ${width} px`).toEqual(first);
	}
});

for (const javaScriptEnabled of [true, false])
	test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
		test.use({ javaScriptEnabled });

		test('on a wide screen what one looks at next stands beside the state', async ({ page }) => {
			await signIn(page);
			// Until then a page without JavaScript comes anew every few seconds.
			await comesToRest(page);
			await expect(page.getByText('Still finding out')).toHaveCount(0);
			const box = async (name: string) =>
				(await page.getByRole('region', { name, exact: true }).boundingBox())!;
			for (const width of [1280, 1440, 1920]) {
				await page.setViewportSize({ width, height: 900 });
				const state = await box('Server status');
				const [glance, chat] = [await box('At a glance'), await box('Chat')];
				expect(glance.y).toBe(state.y);
				expect(glance.x).toBeGreaterThan(state.x + state.width);
				// What is read there has room.
				expect(glance.width).toBeGreaterThanOrEqual(336);
				expect(chat.x).toBe(glance.x);
				const graphs = page.getByRole('heading', { name: 'The last 6 hours' });
				await expect(graphs).toBeInViewport();
				await noSidewaysScroll(page);
			}
			await page.setViewportSize({ width: 390, height: 844 });
			const narrow = await box('At a glance');
			expect(narrow.y).toBeGreaterThan((await box('Try this')).y);
			expect(narrow.y).toBeLessThan((await box('Chat')).y);
			await noSidewaysScroll(page);
		});
	});
