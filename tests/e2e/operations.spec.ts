import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { ADMIN, eventually, signedIn, type Dashboard } from '../harness.ts';
import { hold, startGame } from './game.ts';
import { atOnce, expect, noSidewaysScroll, ready, signIn, test } from './fixtures.ts';

/** Sets switches of the demo server for its next start. */
const faults = (dashboard: Dashboard, switches: Record<string, unknown>) =>
	writeFile(path.join(dashboard.gameDir, 'demo-faults.json'), JSON.stringify(switches));

async function begin(dashboard: Dashboard, endpoint: string, body: unknown = {}): Promise<string> {
	const visitor = await signedIn(dashboard);
	const answer = await visitor.json(endpoint, body);
	return answer.body.operation.id;
}

async function ended(dashboard: Dashboard, id: string) {
	const visitor = await signedIn(dashboard);
	const state = async () => (await visitor.json(`/api/operations/${id}`)).body.operation.state;
	await eventually(state, (now) => now !== 'running');
}

for (const javaScriptEnabled of [true, false])
	test.describe(`a start, ${javaScriptEnabled ? 'live' : 'without JavaScript'}`, () => {
		test.use({ javaScriptEnabled, viewport: { width: 390, height: 844 } });

		test('shows the server output, how long it may take, and the way back', async ({
			page,
			dashboard
		}) => {
			await faults(dashboard, { bootMs: 5000 });
			await signIn(page);
			const id = await begin(dashboard, '/api/server/start');
			const written = () =>
				readFile(path.join(dashboard.gameDir, 'logs/latest.log'), 'utf8').catch(() => '');
			await eventually(written, (text) => text.includes('Loading Minecraft 1.21.1'));
			const goOn = await hold(dashboard);
			await page.goto(`/admin/operations/${id}`, { referer: `${dashboard.url}/admin/logs` });
			const log = page.getByRole('region', { name: 'What the server writes' });
			await expect(log).toContainText('Loading Minecraft 1.21.1 with Fabric Loader');
			await expect(page.getByRole('main')).toContainText(/gives up after 30 s/i);
			const cancel = page.getByRole('button', { name: 'Cancel' });
			await expect(cancel).toBeInViewport({ ratio: 1 });
			// However far one reads.
			await page.mouse.wheel(0, 5000);
			await expect(cancel).toBeInViewport({ ratio: 1 });
			await expect(page.locator('[data-sticky]')).toHaveCount(0);
			goOn();
			await expect(page.locator('main .ending')).toContainText('Done', { timeout: 20_000 });
			await noSidewaysScroll(page);
			await expect(log).toHaveCount(0);
			// It has refreshed itself by now, and still knows.
			await page.getByRole('main').getByRole('link', { name: 'Logs' }).click();
			await expect(page).toHaveURL(/\/admin\/logs$/);
		});
	});

/** The step under way on the page of a restart that has just begun to count down. */
async function counting(page: Page, dashboard: Dashboard) {
	await startGame(dashboard);
	await signIn(page);
	const id = await begin(dashboard, '/api/server/restart', { delaySeconds: 5 });
	await page.goto(`/admin/operations/${id}`);
	await ready(page);
	return page.locator('[aria-current="step"]');
}

/** Of the step under way, seen in the one moment in which it is that one. */
const stepInView = (page: Page, label: string) =>
	page.waitForFunction(
		(label) => {
			const one = document.querySelector('[aria-current="step"] .label');
			if (one?.textContent !== label) return false;
			const { top, bottom } = one.getBoundingClientRect();
			return top >= 0 && bottom <= innerHeight;
		},
		label,
		{ timeout: 20_000 }
	);

test.describe('in a low window', () => {
	test.use({ viewport: { width: 1280, height: 420 } });

	test('who has scrolled up a little to read stays there, though the step under way is partly in sight', async ({
		page,
		dashboard
	}) => {
		const step = await counting(page, dashboard);
		await step.evaluate((step) => {
			document.body.style.paddingBlock = '400px 2000px';
			step.scrollIntoView(false);
		});
		const top = () => page.evaluate(() => scrollY);
		const atStep = await top();
		await page.mouse.move(400, 200);
		await page.mouse.wheel(0, -30);
		await expect.poll(top).toBe(atStep - 30);
		await page.waitForFunction(
			(label) => document.querySelector('[aria-current="step"] .label')?.textContent === label,
			'Wait until it is ready',
			{ timeout: 20_000 }
		);
		expect(await top()).toBe(atStep - 30);
	});

	test('a page that becomes shorter meanwhile does not lose whoever follows, nor the end', async ({
		page,
		dashboard
	}) => {
		const step = await counting(page, dashboard);
		await step.evaluate((step) => {
			document.body.style.paddingBottom = '100px';
			step.scrollIntoView(false);
			scrollTo(0, document.documentElement.scrollHeight);
		});
		const top = () => page.evaluate(() => scrollY);
		const atStep = await top();
		await page.evaluate(() => document.body.style.removeProperty('padding-bottom'));
		await expect.poll(top).toBeLessThan(atStep);
		await stepInView(page, 'Wait until it is ready');
		await expect(page.locator('main .ending strong')).toBeInViewport({
			ratio: 1,
			timeout: 20_000
		});
	});

	for (const isAway of [false, true])
		test(`the step under way ${isAway ? 'is left alone by who has scrolled away' : 'stays in view'}`, async ({
			page,
			dashboard
		}) => {
			const step = await counting(page, dashboard);
			await step.evaluate((step, isAway) => {
				document.body.style.paddingBottom = '2000px';
				if (isAway) scrollTo(0, 1500);
				else step.scrollIntoView(false);
			}, isAway);
			const top = await page.evaluate(() => scrollY);
			if (!isAway) return stepInView(page, 'Wait until it is ready');
			await expect(page.getByText('Wait until it is ready').first()).toBeAttached();
			await expect(page.locator('main .ending strong')).toBeAttached({ timeout: 20_000 });
			expect(await page.evaluate(() => scrollY)).toBe(top);
		});
});

test.describe('on a phone, a change that is rolled back', () => {
	test.use({ viewport: { width: 390, height: 844 } });

	for (const isAway of [false, true])
		test(`ends ${isAway ? 'where one has scrolled to' : 'with how it ended and what can be done in sight'}`, async ({
			page,
			dashboard
		}) => {
			await startGame(dashboard);
			await faults(dashboard, { dieWithMod: 'lithium', dieAfterReadyMs: 400 });
			await signIn(page);
			await page.goto('/admin/mods/plan?do=update&file=lithium-fabric-0.13.0%2Bmc1.21.1.jar');
			await ready(page);
			await page.getByText('Skip the trial').click();
			await atOnce(page);
			await page
				.locator('main')
				.getByRole('button', { name: /^Update 1 mod/ })
				.click();
			await expect(page).toHaveURL(/operations/);
			await expect(page.locator('[aria-current="step"]')).toBeVisible();
			if (isAway) await page.mouse.wheel(0, 20);
			const headline = page.locator('main .ending strong');
			await expect(headline).toBeAttached({ timeout: 40_000 });
			const next = page.locator('main .next').locator('a, button').first();
			await expect(next).toBeAttached();
			// Still at the steps, which the page has followed downwards.
			if (isAway) await expect(headline).not.toBeInViewport();
			else {
				await expect(headline).toBeInViewport({ ratio: 1 });
				await expect(next).toBeInViewport({ ratio: 1 });
			}
		});
});

test('Cancel is never where the button was that began it: a second press in haste must not call it off', async ({
	page,
	dashboard
}) => {
	await startGame(dashboard);
	await signIn(page);
	const { operation } = await (async () => {
		const visitor = await signedIn(dashboard);
		return (await visitor.json('/api/server/stop', { delaySeconds: 600 })).body;
	})();
	const boxOf = async (address: string, name: RegExp) => {
		await page.goto(address);
		await ready(page);
		return (await page.getByRole('main').getByRole('button', { name }).last().boundingBox())!;
	};
	for (const [width, height] of [
		[320, 568],
		[390, 844],
		[844, 390],
		[1280, 800],
		[1920, 1080]
	] as const) {
		await page.setViewportSize({ width, height });
		const cancel = await boxOf(`/admin/operations/${operation.id}`, /^Cancel/);
		for (const one of [
			await boxOf('/admin/mods/plan?do=update&all=1', /^Update/),
			await boxOf('/admin/backups', /^Back up now/)
		]) {
			const beside = cancel.x >= one.x + one.width || one.x >= cancel.x + cancel.width;
			const apart = cancel.y >= one.y + one.height || one.y >= cancel.y + cancel.height;
			expect([width, beside || apart, cancel, one]).toEqual([width, true, cancel, one]);
		}
	}
});

test('a failed start says why first, once, and the excerpt opens at its end', async ({
	page,
	dashboard
}) => {
	await faults(dashboard, { failWithMod: 'lithium' });
	const id = await begin(dashboard, '/api/server/start');
	await ended(dashboard, id);
	// Which of the two comes first depends on what the registry has.
	const visitor = await signedIn(dashboard);
	await eventually(
		async () => (await visitor.json('/api/mods')).body.registryProblem,
		(problem) => problem === null
	);
	await visitor.json('/api/mods/updates');
	await signIn(page);
	await page.setViewportSize({ width: 320, height: 844 });
	await page.goto(`/admin/operations/${id}`);
	await ready(page);
	await expect(page.locator('main .ending strong')).toHaveText('The server did not start.');
	await expect(page.getByText('The mod loader refuses these mods')).toHaveCount(1);
	const next = page.locator('main .ending');
	const helps = next.getByRole('link');
	await expect(helps.first()).toHaveText('Disable Lithium');
	await expect(helps.nth(1)).toHaveText('Update Lithium');
	await expect(next.getByRole('button')).toHaveText('Start again');
	await expect(page.getByText('Find the mod to blame')).toHaveCount(0);
	const { hidden, below } = await page
		.getByRole('region', { name: 'Log lines' })
		.evaluate((box) => {
			const text = box.lastElementChild!.getBoundingClientRect();
			const { bottom } = box.getBoundingClientRect();
			return { hidden: box.scrollHeight - box.clientHeight, below: text.bottom - bottom };
		});
	expect(hidden).toBeGreaterThan(20);
	expect(below).toBeLessThan(1);
	// How long a step took is not far from what it was.
	await page.setViewportSize({ width: 1920, height: 900 });
	const took = (await page.locator('main .took').first().boundingBox())!;
	expect(took.x + took.width).toBeLessThan(1100);
});

test('a mod that keeps the server from starting is marked until the server is up again', async ({
	page,
	dashboard
}) => {
	await faults(dashboard, { failWithMod: 'lithium' });
	await ended(dashboard, await begin(dashboard, '/api/server/start'));
	await signIn(page);
	await page.goto('/admin/mods');
	const badge = page.getByRole('main').getByText('Named in the crash of');
	await expect(badge).toHaveCount(1);
	// In its row an update is what is new; beside the list comes first what is sure to help and costs the world nothing.
	const update = page.getByRole('link', { name: 'Update Lithium' });
	const disable = page.getByRole('link', { name: 'Disable Lithium' });
	await expect(update).toHaveClass(/primary/);
	await expect(disable).toHaveAttribute('href', /do=disable&file=lithium/);
	await page.getByRole('link', { name: 'Lithium', exact: true }).click();
	await expect(page.getByText('The mod loader refuses these mods')).toBeVisible();
	await expect(update).toHaveCount(2);
	await expect(update.nth(1)).toHaveClass(/secondary/);
	await expect(disable).toHaveClass(/primary/);
	await expect(disable).toHaveAttribute('href', /do=disable&file=lithium/);
	await expect(page.getByText(/^The server is down, probably because of Lithium/)).toBeVisible();
	await faults(dashboard, {});
	await ended(dashboard, await begin(dashboard, '/api/server/start'));
	await expect(badge).toHaveCount(0);
	await expect(page.getByText('The server is down')).toHaveCount(0);
	await page.reload();
	await expect(page.getByRole('heading', { name: 'Mods' })).toBeVisible();
	await expect(badge).toHaveCount(0);
});

test('the operation of a finished backup leads to that backup', async ({ page, dashboard }) => {
	await startGame(dashboard);
	await ended(dashboard, await begin(dashboard, '/api/backups', { note: 'another' }));
	const id = await begin(dashboard, '/api/backups', { note: 'before the party' });
	await ended(dashboard, id);
	await signIn(page);
	await page.goto(`/admin/operations/${id}`);
	await ready(page);
	// What the way back names is lit: where the operation belongs, or where one came from.
	const main = page.getByRole('main');
	const lit = page.locator('.rail [aria-current]');
	await expect(main.getByRole('link', { name: 'Backups', exact: true })).toBeVisible();
	await expect(lit).toHaveText('Backups');
	await page.goto('/admin/activity');
	await main.locator(`a[href="/admin/operations/${id}"]`).first().click();
	await expect(main.getByRole('link', { name: 'Activity', exact: true })).toBeVisible();
	await expect(lit).toHaveText('Activity');
	await page.getByRole('link', { name: 'Show the backup' }).click();
	await expect(page).toHaveURL(/\/admin\/backups\?backup=/);
	await expect(page.getByRole('complementary').or(page.getByRole('main')).first()).toContainText(
		'before the party'
	);
	// Back does not come from there.
	await page.goBack();
	await expect(main.getByRole('link', { name: 'Activity', exact: true })).toBeVisible();
	await expect(lit).toHaveText('Activity');
});

for (const javaScriptEnabled of [true, false])
	test.describe(`a failed backup, ${javaScriptEnabled ? 'live' : 'without JavaScript'}`, () => {
		test.use({ javaScriptEnabled, viewport: { width: 320, height: 844 } });

		test('says what to do, and is made again from its page', async ({ page, dashboard }) => {
			const folder = path.join(dashboard.dataDir, 'backups');
			await rm(folder, { recursive: true, force: true });
			await writeFile(folder, '');
			const id = await begin(dashboard, '/api/backups', { note: 'tonight' });
			await ended(dashboard, id);
			await signIn(page);
			// Neither the overview nor the list is lost with the folder.
			await expect(page.getByRole('main')).toContainText('The backups cannot be read');
			await page.goto('/admin/backups');
			await expect(page.getByRole('main')).toContainText('Put the folder back in its place');
			await page.goto(`/admin/operations/${id}`);
			const verdict = page.locator('main .ending');
			await expect(verdict).toContainText('is not a folder but a file. Move it away');
			await expect(verdict.getByRole('link', { name: 'To the backups' })).toBeVisible();
			await noSidewaysScroll(page);
			await rm(folder);
			await verdict.getByRole('button', { name: 'Back up again' }).click();
			await expect(page).not.toHaveURL(new RegExp(id));
			await expect(verdict).toContainText('Done', { timeout: 20_000 });
			const { backups } = await (await page.request.get('/api/backups')).json();
			expect(backups).toMatchObject([{ note: 'tonight', state: 'complete' }]);
		});
	});

test('a failed start is made again by whoever put it right, and is not offered while it runs', async ({
	page,
	dashboard
}) => {
	await faults(dashboard, { failWithMod: 'lithium' });
	const id = await begin(dashboard, '/api/server/start');
	await ended(dashboard, id);
	await faults(dashboard, {});
	await signIn(page, ADMIN);
	await page.goto(`/admin/operations/${id}`);
	await ready(page);
	await page.getByRole('button', { name: 'Start again' }).click();
	await expect(page).not.toHaveURL(new RegExp(id));
	await expect(page.locator('main .ending')).toContainText('Done', { timeout: 20_000 });
	await page.goto(`/admin/operations/${id}`);
	await ready(page);
	await expect(page.getByRole('link', { name: 'To the mods' })).toBeVisible();
	await expect(page.getByRole('button', { name: 'Start again' })).toHaveCount(0);
});

/** It crashed because of Lithium, which the card's advice has been followed to update. Returns the card. */
async function updatedAfterCrash(page: Page, dashboard: Dashboard, meanwhile = async () => {}) {
	await ended(dashboard, await begin(dashboard, '/api/server/start'));
	await signIn(page);
	await page.goto('/admin');
	await ready(page);
	const card = page.getByRole('region', { name: /The server crashed/ });
	await expect(card).toBeVisible();
	await meanwhile();
	await card.getByRole('link', { name: 'Update Lithium' }).click();
	await page
		.locator('main')
		.getByRole('button', { name: /^Update Lithium/ })
		.click();
	return card;
}

test.describe('a server that a mod has crashed, in both of its versions', () => {
	test.use({ env: { DEMO_DIE_WITH_MOD: 'lithium', DEMO_DIE_AFTER_READY_MS: '400' } });

	test('is led from the crash to running, past what has failed', async ({ page, dashboard }) => {
		const card = await updatedAfterCrash(page, dashboard);
		const ending = page.locator('main .ending');
		await expect(ending).toContainText('The server is down, as it was before', { timeout: 30_000 });
		await expect(ending.getByRole('link').first()).toHaveText('Disable Lithium');
		await page.goto('/admin/mods');
		await expect(page.getByRole('link', { name: 'Disable Lithium' })).toHaveClass(/primary/);
		await expect(page.getByRole('link', { name: 'Update Lithium' })).toHaveCount(0);
		await page.goto('/admin');
		await ready(page);
		await expect(card).toContainText(/Disable Lithium: version \S+ did not stay up here either\./);
		await expect(page.getByText('Stopped by')).toHaveCount(0);
		await expect(card.getByRole('link', { name: 'Disable Lithium' })).toHaveClass(/primary/);
		await card.getByRole('link', { name: 'Disable Lithium' }).click();
		await page.getByText('Only change the files').click();
		await page
			.locator('main')
			.getByRole('button', { name: /^Disable Lithium/ })
			.click();
		await expect(ending).toBeVisible({ timeout: 30_000 });
		await page.goto('/admin');
		await ready(page);
		await expect(card).toContainText('Lithium has been disabled since. Start the server.');
		await expect(card.locator('p, dl').filter({ hasText: '.jar' })).toHaveCount(0);
		await card.getByRole('button', { name: 'Start the server' }).click();
		await expect(page.getByText('Running', { exact: true }).first()).toBeVisible();
		await expect(card).toHaveCount(0);
	});
});

test.describe('a server that the newer version of a mod crashes after the watch', () => {
	const dying = (dieAfterReadyMs: number) => ({ dieWithMod: 'lithium', dieAfterReadyMs });

	test('is not led back to the version that had crashed too', async ({ page, dashboard }) => {
		await faults(dashboard, dying(400));
		const card = await updatedAfterCrash(page, dashboard, () => faults(dashboard, dying(6_000)));
		await expect(page.locator('main .ending')).toContainText(/Done|came up healthy, and crashed/, {
			timeout: 30_000
		});
		await page.goto('/admin');
		await ready(page);
		await expect(card).toBeVisible({ timeout: 15_000 });
		await expect(card).toContainText(/Disable Lithium\. It crashed with \S+ too\./);
		await expect(card).not.toContainText('It began');
		await expect(card.getByRole('link', { name: 'Disable Lithium' })).toHaveClass(/primary/);
		await expect(card.getByRole('link', { name: 'Put the old mods back' })).not.toHaveClass(
			/primary/
		);
	});
});

for (const javaScriptEnabled of [true, false])
	test.describe(`what was done, ${javaScriptEnabled ? 'live' : 'without JavaScript'}`, () => {
		test.use({ javaScriptEnabled });

		test('is searched by who, what and whom', async ({ page, dashboard }) => {
			await startGame(dashboard);
			await signIn(page);
			for (const [view, label, list] of [
				['', 'Search operations', 'Operations'],
				['?view=audit', 'Search the audit log', 'Audit log']
			] as const) {
				await page.goto(`/admin/activity${view}`);
				if (javaScriptEnabled) await ready(page);
				const look = async (words: string) => {
					await page.getByLabel(label).fill(words);
					if (!javaScriptEnabled) await page.getByRole('button', { name: 'Search' }).click();
				};
				const rows = page.getByRole('list', { name: list }).getByRole('listitem');
				await look('START ada');
				await expect(rows).toHaveCount(1);
				await expect(rows).toContainText('Start');
				await expect(page).toHaveURL(/q=START(\+|%20)ada$/);
				await look('stop ada');
				await expect(page.getByText('Nothing here has these words.')).toBeVisible();
				await expect(page.getByLabel(label)).toHaveValue('stop ada');
			}
		});
	});
