import { processesIn } from '../harness.ts';
import { startGame } from './game.ts';
import { atOnce, expect, noSidewaysScroll, ready, signIn, state, test } from './fixtures.ts';

for (const [name, viewport] of [
	['a desktop', { width: 1280, height: 800 }],
	['a phone', { width: 390, height: 844 }]
] as const) {
	test.describe(`on ${name}`, () => {
		test.use({ viewport });

		test('Start is watched live, Restart and Stop ask first', async ({ page, dashboard }) => {
			const streams: string[] = [];
			page.on('request', (request) => {
				if (request.url().endsWith('/api/events')) streams.push(request.url());
			});
			await signIn(page);
			await ready(page);
			await expect(state(page)).toHaveText(/Stopped/);
			await noSidewaysScroll(page);
			await page.getByRole('button', { name: 'Start', exact: true }).click();
			await expect(state(page)).toHaveText(/Starting/);
			await expect(state(page)).toHaveText(/Running/);
			const [before] = await processesIn(dashboard.gameDir);
			expect(before).toBeDefined();
			await expect(page.getByRole('button', { name: 'Start', exact: true })).toBeDisabled();

			const restart = page.getByRole('button', { name: 'Restart', exact: true });
			await expect(restart).toBeEnabled();
			const dialog = page.getByRole('dialog');
			await restart.focus();
			// A key that is held confirms nothing.
			for (let i = 0; i < 4; i++) await page.keyboard.down('Enter');
			await page.keyboard.up('Enter');
			await expect(dialog).toContainText(/restart/i);
			// Whether or not somebody has joined and there is something to choose.
			await expect(dialog.getByRole('button', { name: /^Restart/ })).toBeFocused();
			await page.keyboard.press('Escape');
			await expect(dialog).toBeHidden();
			await expect(restart).toBeFocused();
			// Nor does one that is pressed twice in one go, however long this machine takes over it.
			const confirmed: string[] = [];
			page.on('request', (request) => {
				if (request.method() === 'POST') confirmed.push(request.url());
			});
			await restart.evaluate(
				(button: HTMLElement) =>
					new Promise<void>((resolve) => {
						const seen = new MutationObserver(() => {
							const confirm = document.querySelector<HTMLElement>('dialog [data-enter]');
							if (!confirm) return;
							seen.disconnect();
							confirm.click();
							resolve();
						});
						seen.observe(document.body, { childList: true, subtree: true });
						button.click();
					})
			);
			await expect(dialog.getByRole('button', { name: /^Restart/ })).toBeEnabled();
			await page.keyboard.press('Escape');
			await expect(dialog).toBeHidden();
			expect(confirmed.filter((url) => url.includes('restart'))).toEqual([]);
			await page.getByRole('button', { name: 'Restart', exact: true }).click();
			await atOnce(page);
			await dialog.getByRole('button', { name: /Restart/ }).click();
			await expect(state(page)).not.toHaveText(/Running/);
			// Until it has begun to stop, it may be told to be running once more.
			await expect.poll(() => processesIn(dashboard.gameDir)).not.toContain(before);
			await expect(restart).toBeEnabled();
			await expect(state(page)).toHaveText(/Running/);

			await page.getByRole('button', { name: 'Stop', exact: true }).click();
			await atOnce(page);
			await dialog.getByRole('button', { name: /Stop/ }).click();
			await expect(state(page)).toHaveText(/Stopped/);
			expect(await processesIn(dashboard.gameDir)).toEqual([]);
			expect(streams).toHaveLength(1);
			await noSidewaysScroll(page);
		});
	});
}

test('Back closes a question and nothing below it, and no question stays behind in the history', async ({
	page,
	dashboard
}) => {
	await startGame(dashboard);
	await page.setViewportSize({ width: 390, height: 844 });
	await signIn(page);
	await page.goto('/admin/players');
	await page.goto('/admin');
	await ready(page);
	const restart = page.getByRole('button', { name: 'Restart', exact: true });
	const dialog = page.getByRole('dialog');
	await expect(restart).toBeEnabled();
	await restart.click();
	await expect(dialog).toBeVisible();
	await page.goBack();
	await expect(dialog).toBeHidden();
	await expect(page).toHaveURL(/\/admin$/);
	await expect(restart).toBeFocused();
	for (let i = 0; i < 10; i++) {
		await restart.click();
		await dialog.getByRole('button', { name: 'Cancel' }).click();
		await expect(dialog).toBeHidden();
	}
	await restart.click();
	await atOnce(page);
	await dialog.getByRole('button', { name: /^Restart/ }).click();
	await expect(dialog).toBeHidden();
	await page.locator('main a[href^="/admin/operations/"]').first().click();
	await expect(page).toHaveURL(/\/admin\/operations\//);
	await page.goBack();
	await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
	await page.goBack();
	await expect(page).toHaveURL(/\/admin\/players$/);
});

test('an operation has its own page that follows it to the end', async ({ page }) => {
	await signIn(page);
	await ready(page);
	await page.getByRole('button', { name: 'Start', exact: true }).click();
	await page.locator('main a[href^="/admin/operations/"]').first().click();
	await expect(page).toHaveURL(/\/admin\/operations\//);
	await expect(
		page.getByRole('navigation').getByRole('link', { name: 'Overview', exact: true }).first()
	).toHaveAttribute('aria-current', 'page');
	await expect(page.getByText('Wait until it is ready').first()).toBeVisible();
	await expect(page.getByText(/succeeded|The server runs|is running/i).first()).toBeVisible();
	await page.goto('/admin');
	await ready(page);
	// Until then a stop would cancel the start.
	await expect(page.getByRole('region', { name: 'Last operation' })).toBeVisible();
	await page.getByRole('button', { name: 'Stop', exact: true }).click();
	await atOnce(page);
	await page.getByRole('dialog').getByRole('button', { name: /Stop/ }).click();
	await expect(state(page)).toHaveText(/Stopped/);
});

test('a countdown that is over does not come back, and what is under way is not asked for again and again', async ({
	page,
	dashboard
}) => {
	const visitor = await startGame(dashboard);
	await signIn(page);
	await ready(page);
	await expect(page.getByRole('banner')).toContainText('Page in sync');
	const told: string[] = [];
	await page.exposeFunction('tell', (words: string) => told.push(words));
	await page.evaluate(() => {
		const look = () => {
			const strip = document.querySelector('section[aria-label="In progress"]');
			const { tell } = window as unknown as { tell: (words: string) => void };
			if (strip) tell(/Restarts in|Cancel/.test(strip.textContent!) ? 'counts' : 'works');
		};
		new MutationObserver(look).observe(document.body, {
			...{ subtree: true, childList: true, characterData: true }
		});
	});
	const asked: string[] = [];
	page.on('request', (request) => asked.push(new URL(request.url()).pathname));
	await visitor.json('/api/server/restart', { delaySeconds: 5 });
	const strip = page.getByRole('region', { name: 'Last operation' });
	await expect(page.getByRole('region', { name: 'In progress' })).toBeVisible();
	await expect(strip).toContainText('Restart server succeeded', { timeout: 30_000 });
	expect(told).toContain('counts');
	expect(told).toContain('works');
	expect(told.slice(told.indexOf('works'))).not.toContain('counts');
	// For each step twice, as it is told and as it is loaded, and for what it does to the state.
	expect(asked.filter((path) => path === '/admin/__data.json').length).toBeLessThan(30);
});

test('the page says how old its numbers are when the dashboard is gone', async ({
	page,
	dashboard
}) => {
	await signIn(page);
	await ready(page);
	await expect(page.getByRole('banner')).toContainText('Page in sync');
	await dashboard.kill('SIGKILL');
	await expect(page.getByRole('banner')).toContainText(/Last update \d\d:\d\d/, {
		timeout: 20_000
	});
	await expect(state(page)).toHaveText('Not known');
	const card = page.getByRole('region', { name: 'Server status' });
	await expect(card.getByText(/^At \d\d:\d\d:\d\d: stopped\. /)).toBeVisible();
	await expect(card.getByText('Checked')).toHaveCount(0);
	// Nothing can be done until it answers again; a press says why.
	await card.getByRole('button', { name: 'Start', exact: true }).click({ force: true });
	await expect(
		page.getByText(/The dashboard cannot be reached, so nothing was sent/)
	).toBeVisible();
});

test.describe('a start that takes longer than it is waited for', () => {
	test.use({ env: { DEMO_HANG_IN_BOOT: 'true', VERIFY_TIMEOUT_SECONDS: '3' } });

	test('is not called failed while the server goes on loading, and Stop is there once', async ({
		page
	}) => {
		await signIn(page);
		await ready(page);
		await page.getByRole('button', { name: 'Start', exact: true }).click();
		const card = page.getByRole('region', { name: 'Server status' });
		await expect(card).toContainText(/The server has been loading\s+for \d+ (s|min)/);
		// Two buttons leave its words the whole width.
		const words = (await card.locator('li .words').boundingBox())!;
		const log = (await card.getByRole('link', { name: 'Look at the log' }).boundingBox())!;
		expect(log.y).toBeGreaterThanOrEqual(words.y + words.height);
		const strip = page.getByRole('region', { name: 'Last operation' });
		await expect(strip).toContainText('timed out');
		await expect(strip.locator('.mark.bad')).toHaveCount(0);
		// The card and the strip say it: nothing lies over them.
		await expect(page.locator('[data-sonner-toast]')).toHaveCount(0);
		await expect(page.getByRole('main')).not.toContainText('failed');
		await expect(card.getByRole('button', { name: /Stop/ })).toHaveCount(1);
		await expect(card.getByRole('link', { name: /Stop/ })).toHaveCount(0);
		await strip.getByRole('link', { name: 'Start server' }).click();
		await expect(page.getByText('Timed out', { exact: true })).toBeVisible();
		await expect(page.getByRole('link', { name: /Restart again/ })).toHaveCount(0);
		await expect(page.getByRole('link', { name: 'Stop it…' })).toBeVisible();
		await page.goto('/');
		await expect(page.getByRole('main')).toContainText(/It has been starting for \d+ (s|min)/);
	});
});

test.describe('a server that crashes right after its start', () => {
	test.use({ env: { DEMO_DIE_WITH_MOD: 'lithium', DEMO_DIE_AFTER_READY_MS: '4000' } });

	test('leaves no green toast behind, and its start says so for good', async ({ page }) => {
		await signIn(page);
		await ready(page);
		await page.getByRole('button', { name: 'Start', exact: true }).click();
		await expect(state(page)).toHaveText(/Crashed/);
		const strip = page.getByRole('region', { name: 'Last operation' });
		await expect(strip).toContainText(/succeeded, then crashed .*the server crashed \d/s);
		await expect(page.locator('[data-sonner-toast]')).toHaveCount(0);
		await page.getByRole('button', { name: 'Start', exact: true }).click();
		await expect(strip).toContainText(/succeeded, then crashed/);
		const row = page.getByRole('list', { name: 'Recent operations' }).getByRole('listitem');
		await expect(row.filter({ hasText: 'Succeeded, then crashed' })).toHaveCount(1);
		await row.getByRole('link', { name: 'Start server' }).click();
		await expect(page.getByRole('main')).toContainText(
			/The server was started: it came up healthy, and crashed .* later\./
		);
		await expect(page.getByRole('link', { name: 'Crash report' })).toBeVisible();
	});
});

test.describe('a start by mistake', () => {
	test.use({ env: { DEMO_HANG_IN_BOOT: 'true' }, viewport: { width: 390, height: 844 } });

	test('is cancelled by Stop while the game loads, and the server ends gently', async ({
		page,
		dashboard
	}) => {
		await signIn(page);
		await ready(page);
		await page.getByRole('button', { name: 'Start', exact: true }).click();
		const strip = page.getByRole('region', { name: 'In progress' });
		await expect(strip.getByRole('button', { name: 'Cancel' })).toBeVisible();
		// The line of the operation says it: nothing lies over that.
		await expect(page.locator('[data-sonner-toast]')).toHaveCount(0);
		const stop = page.getByRole('button', { name: 'Stop', exact: true });
		await expect(stop).toBeEnabled();
		await stop.click();
		const dialog = page.getByRole('dialog');
		await expect(dialog).toContainText('still starting: nobody can be playing yet');
		await expect(dialog.getByLabel('When')).toHaveCount(0);
		await dialog.getByRole('button', { name: 'Stop', exact: true }).click();
		await expect(state(page)).toHaveText(/Stopped/);
		expect(await processesIn(dashboard.gameDir)).toEqual([]);
		const last = page.getByRole('region', { name: 'Last operation' });
		await expect(last).toContainText('cancelled');
		await expect(last).not.toContainText('stopped again');
		await expect(page.locator('[data-sonner-toast]')).toHaveCount(0);
	});
});

test('a countdown moves nothing, stands where it is in the way, and is cancelled there', async ({
	page,
	dashboard
}) => {
	const visitor = await startGame(dashboard);
	await page.setViewportSize({ width: 1280, height: 800 });
	await signIn(page);
	await ready(page);
	const stop = page.getByRole('button', { name: 'Stop', exact: true });
	await expect(stop).toBeEnabled();
	const before = await stop.boundingBox();
	await visitor.json('/api/server/restart', { delaySeconds: 600 });
	await expect(stop).toBeDisabled();
	const card = page.getByRole('region', { name: 'Server status' });
	await expect(page.getByRole('region', { name: 'In progress' })).toContainText(/Restarts in \d/);
	expect(await stop.boundingBox()).toEqual(before);
	// The state says it, and the line of what is under way.
	await expect(card.locator('.reason')).toHaveText(/^\s*Restarts in \d+ min( \d+ s)?$/);
	await expect(page.getByRole('main').getByText(/Restarts in \d/)).toHaveCount(2);
	// Also when it is in the way of what is pressed.
	await stop.click({ force: true });
	await expect(card).toContainText('Cannot stop: the server is about to restart.');
	await page
		.getByRole('main')
		.getByRole('button', { name: /^Cancel/ })
		.click();
	await expect(card).toContainText('Stop is possible now.');
	await expect(page.getByRole('dialog')).toHaveCount(0);
	expect(await stop.boundingBox()).toEqual(before);

	await visitor.json('/api/server/restart', { delaySeconds: 600 });
	await page.goto('/admin/mods/plan?do=update&all=1');
	await ready(page);
	await page.mouse.wheel(0, 5000);
	const bar = page.getByRole('group', { name: 'Decide' });
	await expect(bar.getByText('The server is about to restart.')).toBeInViewport();
	await expect(bar.getByText(/^Restarts in \d+ min/)).toBeInViewport();
	const update = bar.getByRole('button', { name: /^Update/ });
	await expect(update).toBeDisabled();
	await update.click({ force: true });
	await expect(bar.getByRole('alert')).toBeInViewport();
	await noSidewaysScroll(page);

	await page.goto('/admin/chat');
	await expect(page.getByRole('link', { name: /^Restarts in \d+ min/ })).toBeVisible();
	await page.goto('/admin/mods/plan?do=update&all=1');
	await bar.getByRole('button', { name: 'Cancel it' }).click();
	await expect(update).toBeEnabled();
	await expect(page.locator('[data-sonner-toast]')).toContainText(
		'Restart cancelled: nothing was changed.'
	);

	// From anywhere else by the palette.
	await visitor.json('/api/server/restart', { delaySeconds: 600 });
	await page.goto('/admin/chat');
	await ready(page);
	const counts = page.getByRole('link', { name: /^Restarts in \d+ min/ });
	await expect(counts).toBeVisible();
	await page.keyboard.press('Control+k');
	await page.keyboard.type('cancel the restart');
	await expect(page.locator('[role="option"][aria-selected="true"]')).toContainText(
		'Cancel “Restart server”'
	);
	await page.keyboard.press('Enter');
	await expect(counts).toBeHidden();
});
