import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { ADMIN, signedIn } from '../harness.ts';
import {
	expect,
	noSidewaysScroll,
	ready,
	settled,
	signIn,
	state,
	test,
	withoutWorker
} from './fixtures.ts';

const answers = (page: Page) => page.getByRole('log').getByRole('listitem');

/** Until it has been sent, whoever goes elsewhere takes it back. */
async function pressStart(page: Page) {
	const begun = page.waitForResponse(/\?\/start$/);
	await page.getByRole('main').getByRole('button', { name: 'Start', exact: true }).click();
	await begun;
}

async function start(page: Page, scripted: boolean) {
	await page.goto('/admin');
	if (scripted) await ready(page);
	await pressStart(page);
	await expect(async () => {
		await page.goto('/admin');
		await expect(state(page)).toHaveText(/Running/, { timeout: 500 });
	}).toPass();
}

async function run(page: Page, command: string) {
	const before = await answers(page).count();
	await page.getByLabel('Command').fill(command);
	await page.getByRole('button', { name: 'Run', exact: true }).click();
	await expect(answers(page)).toHaveCount(before + 1);
	return answers(page).last();
}

for (const [width, javaScriptEnabled] of [
	[1280, true],
	[390, false]
] as const)
	test.describe(`at ${width} px ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, () => {
		const loaded = (page: Page) => (javaScriptEnabled ? ready(page) : null);
		test.use({ javaScriptEnabled, viewport: { width, height: 844 } });

		test('a command is answered and audited, and a reload does not run it again', async ({
			page
		}) => {
			await signIn(page);
			await start(page, javaScriptEnabled);
			await page.goto('/admin/console');
			await loaded(page);
			await run(page, 'list');
			await expect(answers(page).last()).toContainText(/players online/);
			await run(page, '/seed');
			await expect(answers(page).last()).toContainText(/Seed: \[/);
			await expect(answers(page).last()).not.toContainText('Refused');
			await run(page, 'lis');
			await expect(answers(page).last()).toContainText('Refused by the game');
			await noSidewaysScroll(page);

			const audited = async () => {
				await page.goto('/admin/activity?view=audit');
				return page.getByRole('listitem').filter({ hasText: /seed/ }).count();
			};
			await page.reload();
			await expect(answers(page)).toHaveCount(3);
			expect(await audited()).toBe(1);

			await page.goto('/admin/console');
			await loaded(page);
			await page.getByRole('button', { name: 'Clear the answers' }).click();
			await expect(page.getByText('No commands yet.')).toBeVisible();
		});

		test.describe('while nobody talks', () => {
			// What they say would push it out of sight.
			test.use({ env: { DEMO_BOTS: '0' } });

			test('what a command does is seen in the log, on the same page', async ({ page }) => {
				await signIn(page);
				await page.goto('/admin/console');
				await loaded(page);
				await expect(page.getByText('There is no current log in this folder.')).toBeVisible();
				await start(page, javaScriptEnabled);
				await page.goto('/admin/console');
				await loaded(page);
				const lines = page.getByRole('region', { name: 'Log lines' });
				await expect(lines).toBeInViewport();
				await run(page, 'say The bridge is open');
				await expect(async () => {
					if (!javaScriptEnabled) await page.reload();
					await expect(lines.getByText('The bridge is open')).toBeInViewport({ timeout: 3000 });
				}).toPass();
				await expect(page.getByLabel('Command')).toBeInViewport({ ratio: 1 });
				await noSidewaysScroll(page);
			});
		});

		test.describe('while nobody leaves by themselves', () => {
			test.use({ env: { DEMO_STAY: 'true' } });

			test('stop asks first while somebody plays', async ({ page }) => {
				await signIn(page);
				await start(page, javaScriptEnabled);
				await expect(async () => {
					const status = await (await page.request.get('/api/status')).json();
					expect(status.players.online).toBeGreaterThan(0);
				}).toPass();
				await page.goto('/admin/console');
				await loaded(page);
				await page.getByLabel('Command').fill('/stop');
				await page.getByRole('button', { name: 'Run', exact: true }).click();
				const asked = page.getByRole(javaScriptEnabled ? 'dialog' : 'main');
				await expect(asked).toContainText(/Stops the server for \d+ player/);
				if (javaScriptEnabled) {
					await expect(page).toHaveURL(/\/admin\/console$/);
					await asked.getByRole('button', { name: 'Cancel' }).click();
					await expect(page.getByLabel('Command')).toHaveValue('/stop');
					await expect(answers(page)).toHaveCount(0);
					await settled(page);
				} else {
					await expect(page).toHaveURL(/\/admin\/confirm\?do=stop$/);
					await expect(page.locator('[aria-current="page"]').first()).toContainText('Overview');
				}
				await page.goto('/admin');
				await expect(state(page)).toHaveText(/Running/);
			});
		});

		test('a stopped server takes no commands: the page says why, and starts it', async ({
			page
		}) => {
			await signIn(page);
			await page.goto('/admin/console');
			await loaded(page);
			const main = page.getByRole('main');
			await expect(main).toContainText('The server is stopped: start it to run commands.');
			await expect(page.getByLabel('Command')).toBeDisabled();
			await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeDisabled();
			await expect(main).toContainText('the note at the top of this page says why');
			// Below the answers, and nothing below it.
			const form = page.locator('form').filter({ has: page.getByLabel('Command') });
			const [line, panel] = [form, page.getByRole('region', { name: 'Console' })].map((one) =>
				one.evaluate((element) => element.getBoundingClientRect().bottom)
			);
			expect((await panel!) - (await line!)).toBeLessThan(2);
			await pressStart(page);
			await page.goto('/admin');
			await expect(state(page)).toHaveText(/Starting|Running/);
		});
	});

test('nothing can be typed while the server is starting', async ({ page, dashboard }) => {
	const slow = JSON.stringify({ bootMs: 8000 });
	await writeFile(path.join(dashboard.gameDir, 'demo-faults.json'), slow);
	await signIn(page);
	const visitor = await signedIn(dashboard);
	await page.goto('/admin/console');
	await ready(page);
	await expect(page.getByRole('banner')).toContainText('Page in sync');
	await visitor.json('/api/server/start', {});
	await expect(page.getByText('it takes commands when it is ready')).toBeVisible();
	await expect(page.getByLabel('Command')).toBeDisabled();
	await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeDisabled();
	await expect(page.getByText('No commands yet.')).not.toContainText('only asks');
	await expect(page.getByLabel('Command')).toBeEnabled({ timeout: 30_000 });
	await expect(page.getByText('No commands yet.')).toContainText('only asks');
});

test('a command that takes its time stands there at once', async ({ page }) => {
	await signIn(page);
	await start(page, true);
	await page.goto('/admin/console');
	await ready(page);
	let letGo = () => {};
	const held = new Promise<void>((resolve) => (letGo = resolve));
	await page.route('**/admin/console?/run', async (route) => {
		await held;
		await route.continue();
	});
	await run(page, 'list');
	await expect(answers(page).last()).toContainText('Waiting for the server…');
	letGo();
	await expect(answers(page).last()).toContainText(/players online/);
	await expect(answers(page)).toHaveCount(1);
});

test('the arrow keys bring back earlier commands', async ({ page }) => {
	await signIn(page);
	await start(page, true);
	await page.goto('/admin/console');
	await ready(page);
	for (const command of ['list', 'seed'])
		await expect(await run(page, command)).not.toContainText('Waiting');
	const field = page.getByLabel('Command');
	await expect(field).toHaveValue('');
	await field.press('ArrowUp');
	await expect(field).toHaveValue('seed');
	await field.press('ArrowUp');
	await expect(field).toHaveValue('list');
	await field.press('ArrowDown');
	await field.press('ArrowDown');
	await expect(field).toHaveValue('');
});

test('what is typed is completed with the server’s own commands and with players', async ({
	page
}) => {
	await signIn(page);
	await start(page, true);
	await page.goto('/admin/console');
	await ready(page);
	const field = page.getByRole('combobox', { name: 'Command' });
	const options = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');
	const words = page.locator('[role="option"] .word');
	// A mod's command: nobody but the server knows it.
	await expect(async () => {
		await field.fill('');
		await field.pressSequentially('waym');
		await expect(words).toHaveText(['waymark', 'waymark-admin'], { timeout: 500 });
	}).toPass();
	await expect(field).toHaveAttribute('aria-expanded', 'true');
	// Nothing is chosen until somebody does: the arrows are the history's.
	await expect(field).not.toHaveAttribute('aria-activedescendant');
	await field.press('Tab');
	await expect(field).toHaveValue('waymark');
	await expect(options.first()).toHaveAttribute('aria-selected', 'true');
	await field.press('ArrowDown');
	await expect(field).toHaveValue('waymark-admin');
	await field.press('Tab');
	await expect(field).toHaveValue('waymark');
	await field.press('Escape');
	await expect(field).toHaveValue('waym');
	await expect(options).toHaveCount(0);
	// With nothing to complete, Tab goes on to the button.
	await field.press('Tab');
	await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeFocused();

	await field.fill('');
	await field.pressSequentially('weat');
	await field.press('Tab');
	await expect(field).toHaveValue('weather ');
	await expect(words).toHaveText(['clear', 'rain', 'thunder']);
	await options.filter({ hasText: 'rain' }).click();
	await expect(field).toHaveValue('weather rain ');
	await expect(field).toBeFocused();

	const { players } = await (await page.request.get('/api/players')).json().then((body) => ({
		players: body.known as { name: string }[]
	}));
	await field.fill('');
	await field.pressSequentially('whitelist add ');
	await expect(words.filter({ hasText: players[0]!.name })).toHaveCount(1);
	await expect(answers(page)).toHaveCount(0);

	// Enter sends what is in the field, whatever is suggested.
	await field.fill('');
	await field.pressSequentially('lis');
	await expect(options).not.toHaveCount(0);
	await field.press('Enter');
	await expect(answers(page).last()).toContainText('Refused by the game');
	await field.pressSequentially('se');
	await expect(options).not.toHaveCount(0);
	await field.press('ArrowUp');
	await expect(field).toHaveValue('lis');
	await expect(options).toHaveCount(0);
});

test('the log is read once, and not again after each command', async ({ page }) => {
	await withoutWorker(page);
	await signIn(page);
	await start(page, true);
	await page.goto('/admin');
	await ready(page);
	const loads: string[] = [];
	await page.route(/\/console(\/__data\.json|\?\/run)/, async (route) => {
		const response = await route.fetch();
		loads.push(await response.text());
		await route.fulfill({ response });
	});
	await page.getByRole('link', { name: 'Console' }).first().click();
	const lines = page.getByRole('region', { name: 'Log lines' });
	await expect(lines).toContainText('joined the game');
	await run(page, 'say The bridge is open');
	await expect(lines).toContainText('The bridge is open');
	await run(page, 'seed');
	await expect(answers(page).last()).toContainText(/Seed: \[/);
	await expect.poll(() => loads.length).toBeGreaterThan(3);
	expect(loads.filter((text) => /joined the game|Server thread/.test(text))).toEqual([]);
});

test('without JavaScript the browser lists the commands', async ({ page, browser, dashboard }) => {
	await signIn(page);
	await start(page, true);
	const context = await browser.newContext({ baseURL: dashboard.url, javaScriptEnabled: false });
	await context.addCookies(await page.context().cookies());
	const plain = await context.newPage();
	// What a page waits for is little: the next one has the answer.
	await expect(async () => {
		await plain.goto('/admin/console');
		await expect(plain.locator('datalist option[value="waymark"]')).toHaveCount(1, {
			timeout: 500
		});
	}).toPass();
	const list = await plain.getByLabel('Command').getAttribute('list');
	await expect(plain.locator(`datalist[id="${list}"]`)).toHaveCount(1);
	await context.close();
});

for (const hasTouch of [false, true])
	test.describe(hasTouch ? 'under a finger' : 'with a mouse', () => {
		test.use({ hasTouch, isMobile: hasTouch });

		test(`the field ${hasTouch ? 'waits to be tapped' : 'can be typed in at once'}`, async ({
			page
		}) => {
			await signIn(page);
			await start(page, true);
			const field = page.getByLabel('Command');
			const focused = () => field.evaluate((one) => one === document.activeElement);
			await page.goto('/admin/console');
			await ready(page);
			expect(await focused()).toBe(!hasTouch);
			await page.goto('/admin');
			await ready(page);
			// Also from within the dashboard, where the link that was pressed has the focus.
			await page.getByRole('link', { name: 'Console' }).first().click();
			await expect(page).toHaveTitle(/^Console/);
			// Whatever takes the focus after a navigation has had its turn.
			await page.waitForTimeout(300);
			expect(await focused()).toBe(!hasTouch);
			expect(await page.evaluate(() => scrollY)).toBe(0);
		});
	});

test('what can be tried at first is filled in, with and without JavaScript', async ({
	page,
	browser,
	dashboard
}) => {
	await signIn(page);
	await start(page, true);
	await page.goto('/admin/console');
	await ready(page);
	const field = page.getByLabel('Command');
	await expect(field).not.toHaveAccessibleDescription(/sends it/);
	await page.getByRole('log').getByRole('link', { name: 'list' }).click();
	await expect(field).toHaveValue('list');
	// That nothing has been sent is said, and the caret is where one goes on.
	await expect(field).toHaveAccessibleDescription(/^Enter or Run sends it\./);
	await field.press('s');
	await expect(field).toHaveValue('lists');
	await expect(field).not.toHaveAccessibleDescription(/sends it/);
	await page.getByRole('log').getByRole('link', { name: 'time query day' }).click();
	await expect(page.getByLabel('Command')).toHaveValue('time query day');
	await expect(page.getByLabel('Command')).toBeFocused();
	const context = await browser.newContext({ baseURL: dashboard.url, javaScriptEnabled: false });
	await context.addCookies(await page.context().cookies());
	const plain = await context.newPage();
	await plain.goto('/admin/console');
	await plain.getByRole('log').getByRole('link', { name: 'list' }).click();
	await expect(plain.getByLabel('Command')).toHaveValue('list');
	await expect(plain.getByText('Enter or Run sends it.')).toBeVisible();
	await context.close();
});

test('an invalid command is rejected at the field', async ({ page }) => {
	await signIn(page);
	await start(page, true);
	await page.goto('/admin/console');
	await ready(page);
	await page.getByLabel('Command').fill('ä'.repeat(900));
	await page.getByRole('button', { name: 'Run', exact: true }).click();
	await expect(page.getByRole('alert')).toContainText(/1446 bytes/);
	await expect(page.getByLabel('Command')).toHaveValue('ä'.repeat(900));
	await expect(answers(page)).toHaveCount(0);
});

test('an admin has no console', async ({ page }) => {
	await signIn(page, ADMIN);
	await expect(page.getByRole('link', { name: 'Console' })).toHaveCount(0);
	const response = await page.request.get('/admin/console');
	expect(response.status()).toBe(403);
});

test('enlarged to 400 %, what may be tried is not cut off above the field', async ({ page }) => {
	await signIn(page);
	await start(page, true);
	await page.setViewportSize({ width: 320, height: 256 });
	await page.goto('/admin/console');
	await ready(page);
	const chips = page.getByRole('navigation', { name: 'To try' });
	await expect(chips).toBeVisible();
	const below = () =>
		chips.evaluate((one) => {
			const answers = one.closest('.answers')!.getBoundingClientRect();
			return one.getBoundingClientRect().bottom - answers.bottom;
		});
	await expect.poll(below).toBeLessThanOrEqual(0);
	await noSidewaysScroll(page);
});
