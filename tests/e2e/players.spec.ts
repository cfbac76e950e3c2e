import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Locator, Page } from '@playwright/test';
import { ADMIN, signedIn, type Dashboard } from '../harness.ts';
import { expect, noSidewaysScroll, ready, settled, signIn, test } from './fixtures.ts';
import { hold, listed, startGame } from './game.ts';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 844 };

const row = (page: Page, name: string) =>
	page.locator('main li').filter({ has: page.getByText(name, { exact: true }) });
const open = async (page: Page, target: string) => {
	// The head's script marks the root, where scripts run at all.
	const isScripted = page.locator('html.js');
	if (await isScripted.count()) await settled(page);
	await page.goto(target);
	if (await isScripted.count()) await ready(page);
	await noSidewaysScroll(page);
};
const inFile = (dashboard: Dashboard, file: string) =>
	expect.poll(() => listed(dashboard, file), { message: file });

/** Every list there and back, each verified in the server's own files. */
async function roundTrips(page: Page, dashboard: Dashboard) {
	const press = (name: string | RegExp) => page.getByRole('button', { name }).click();
	const confirm = (name: RegExp) => page.getByRole('button', { name }).last().click();
	/** On a phone the form is folded above a list that has somebody. */
	const unfold = async () => {
		const fold = page.locator('details:not([open]) > summary', { hasText: 'player' });
		if (await fold.isVisible()) await fold.click();
	};
	const add = async (name: string, word: string) => {
		await unfold();
		await page.getByLabel('Player name').fill(name);
		await page.getByRole('button', { name: word, exact: true }).first().click();
	};

	await open(page, '/admin/players?tab=ops');
	await add('quietfox', 'Op');
	await expect(page.getByText('quietfox can use every command').first()).toBeVisible();
	expect(await listed(dashboard, 'ops.json')).not.toContain('quietfox');
	await confirm(/^Op quietfox/);
	await inFile(dashboard, 'ops.json').toContain('quietfox');
	await expect(row(page, 'quietfox')).toHaveCount(1);
	await press('Deop: quietfox');
	await expect(page.getByText('quietfox can no longer use operator commands.')).toBeVisible();
	await confirm(/^Deop quietfox/);
	await inFile(dashboard, 'ops.json').not.toContain('quietfox');
	await expect(row(page, 'quietfox')).toHaveCount(0);
	await expect(page).toHaveURL(/tab=ops/);

	await open(page, '/admin/players?tab=whitelist');
	const before = await listed(dashboard, 'whitelist.json');
	await add('LanternLou', 'Add');
	await inFile(dashboard, 'whitelist.json').toEqual([...before, 'LanternLou']);
	await press('Remove: LanternLou');
	await inFile(dashboard, 'whitelist.json').toEqual(before);
	await expect(row(page, 'LanternLou')).toHaveCount(0);
	const properties = () => readFile(path.join(dashboard.gameDir, 'server.properties'), 'utf8');
	await press('Turn whitelist on');
	await expect(page.getByText('The whitelist is on.')).toBeVisible();
	await expect.poll(properties).toMatch(/^white-list=true/m);
	await press('Turn whitelist off');
	await expect(page.getByText('The whitelist is off.')).toBeVisible();
	await expect.poll(properties).toMatch(/^white-list=false/m);

	await open(page, '/admin/players?tab=bans');
	await unfold();
	await page.getByLabel('Reason').fill('Broke the lantern');
	await add('Ore_Or_Not', 'Ban');
	await expect(page.getByText('cannot join again until pardoned').first()).toBeVisible();
	await confirm(/^Ban Ore_Or_Not/);
	await inFile(dashboard, 'banned-players.json').toContain('Ore_Or_Not');
	const bans = await readFile(path.join(dashboard.gameDir, 'banned-players.json'), 'utf8');
	expect(bans).toContain('Broke the lantern');
	// Whoever did it, by the audit log: the game only knows that it came from here.
	await expect(row(page, 'Ore_Or_Not')).toBeVisible();
	await expect(page.getByRole('dialog')).toHaveCount(0);
	await expect(page.getByText(/Ore_Or_Not is banned/).first()).toBeVisible();
	await open(page, '/admin/players?tab=bans');
	await expect(row(page, 'Ore_Or_Not')).toContainText('by ada, from the dashboard');
	await expect(row(page, 'Ore_Or_Not')).toContainText('Broke the lantern');
	await press('Pardon: Ore_Or_Not');
	await expect(page.getByText('Ore_Or_Not can join again.').first()).toBeVisible();
	expect(await listed(dashboard, 'banned-players.json')).toContain('Ore_Or_Not');
	await confirm(/^Pardon Ore_Or_Not/);
	await inFile(dashboard, 'banned-players.json').not.toContain('Ore_Or_Not');
	await expect(row(page, 'Ore_Or_Not')).toHaveCount(0);
}

/** A player is kicked with a message; the server's own log says so. */
async function kick(page: Page, dashboard: Dashboard, scripted: boolean) {
	const first = page.locator('main li a').first();
	// Without a script the page is of the moment in which it was asked for.
	await expect(async () => {
		await open(page, '/admin/players');
		await expect(first).toBeVisible({ timeout: 1000 });
	}).toPass();
	const name = (await first.textContent())!.trim();
	const button = page.getByRole('button', { name: `Kick: ${name}` });
	// On a phone all actions are on the player's page; the one in a hurry is in the list as well.
	if (page.viewportSize()!.width === PHONE.width) {
		await expect(button).toBeVisible();
		await first.click();
		// Its button is called the same.
		await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
	}
	// One of them is a link, as long as they can be written to.
	const others = page.getByRole('region', { name: 'Actions' }).locator('.button');
	const places = () =>
		others.evaluateAll((all) => all.map((one) => JSON.stringify(one.getBoundingClientRect())));
	const before = await places();
	await button.click();
	await expect(
		page.getByText(`${name} is disconnected, and can join again at once.`)
	).toBeVisible();
	await page.getByLabel('Message').fill('The lantern goes out');
	await page
		.getByRole('button', { name: `Kick ${name}` })
		.last()
		.click();
	await expect(page.getByRole('dialog')).toHaveCount(0);
	// Where there are others, none comes to where Kick was.
	if (before.length && new URL(page.url()).pathname !== '/admin/players') {
		await expect(button).toBeDisabled();
		// A page that is loaded anew has no message for somebody who is gone.
		expect((await places()).length).toBe(scripted ? before.length : before.length - 1);
	}
	if (scripted) await expect(page.getByText(`${name} was kicked`)).toBeVisible();
	const log = () => readFile(path.join(dashboard.gameDir, 'logs/latest.log'), 'utf8');
	await expect.poll(log).toContain(`${name} lost connection: The lantern goes out`);
	await expect.poll(log).toContain(`${name} left the game`);
}

for (const [script, viewport] of [
	[true, DESKTOP],
	[true, PHONE],
	[false, PHONE],
	[false, DESKTOP]
] as const) {
	const how = `${script ? 'with' : 'without'} JavaScript at ${viewport.width} px`;
	test.describe(how, () => {
		// Somebody has to be there to be kicked, when a page that does not change by itself is loaded.
		test.use({ viewport, javaScriptEnabled: script, env: { DEMO_STAY: 'true' } });

		test('op, whitelist and ban work both ways on the running server, and a kick takes effect', async ({
			page,
			dashboard
		}) => {
			test.slow(); // many pages, each loaded anew
			await startGame(dashboard);
			await signIn(page);
			// The whole name of the server, beside everything that is known while it runs.
			const name = page.getByRole('banner').getByText('Craftwarden demo', { exact: true });
			const isWhole = (element: Element) => element.scrollWidth <= element.clientWidth;
			expect(await name.evaluate(isWhole)).toBe(true);
			await roundTrips(page, dashboard);
			await kick(page, dashboard, script);
		});

		test('an admin reads the operators, and cannot change them', async ({ page, dashboard }) => {
			const before = await listed(dashboard, 'ops.json');
			await signIn(page, ADMIN);
			await open(page, '/admin/players?tab=ops');
			await expect(page.getByText(/You can read this list, not change it/)).toBeVisible();
			await expect(page.getByRole('button', { name: /Op|Deop/ })).toHaveCount(0);
			await expect(row(page, 'PebbleWick')).toHaveCount(1);

			await page.getByRole('link', { name: 'PebbleWick' }).click();
			const deop = page.getByRole('button', { name: 'Deop: PebbleWick' });
			await expect(deop).toBeDisabled();
			await expect(deop).toHaveAttribute('title', /Only a superadmin/);
			await open(page, '/admin/players/confirm?do=deop&player=PebbleWick');
			await expect(page.getByRole('button', { name: /Deop PebbleWick/ })).toBeDisabled();

			const visitor = await signedIn(dashboard, ADMIN);
			for (const action of ['op', 'deop']) {
				const form = await visitor.form(`/admin/players?/${action}`, { player: 'PebbleWick' });
				expect(form.status).toBe(403);
				const api = await visitor.json('/api/players', { action, player: 'PebbleWick' });
				expect(api.status).toBe(403);
			}
			const disguised = await visitor.form('/admin/players?/pardon', {
				action: 'op',
				player: 'quietfox'
			});
			expect(disguised.status).toBe(303);
			expect(await listed(dashboard, 'ops.json')).toEqual(before);
		});
	});
}

for (const [script, viewport] of [
	[true, PHONE],
	[false, DESKTOP]
] as const)
	test.describe(`a stopped server, ${script ? 'with' : 'without'} JavaScript`, () => {
		test.use({ viewport, javaScriptEnabled: script });

		test('op, whitelist and ban work both ways in its files', async ({ page, dashboard }) => {
			await signIn(page);
			await roundTrips(page, dashboard);
		});
	});

test('an optimistic change is reverted when the answer never comes', async ({
	page,
	dashboard
}) => {
	await signIn(page);
	await open(page, '/admin/players?tab=whitelist');
	const before = await listed(dashboard, 'whitelist.json');
	let release = () => {};
	const held = new Promise<void>((resolve) => (release = resolve));
	await page.route(/whitelistRemove/, async (route) => {
		await held;
		await route.abort();
	});
	await page.getByRole('button', { name: 'Remove: quietfox' }).click();
	await expect(row(page, 'quietfox')).toHaveCount(0);
	release();
	await expect(row(page, 'quietfox')).toHaveCount(1);
	await expect(page.getByText('The dashboard did not answer')).toBeVisible();
	expect(await listed(dashboard, 'whitelist.json')).toEqual(before);
});

test('the leaderboard says who is online now', async ({ page, dashboard }) => {
	await startGame(dashboard);
	await signIn(page);
	await open(page, '/admin/stats');
	await expect(
		page.getByRole('list', { name: 'Playtime' }).getByText('Online now').first()
	).toBeVisible();
	// As it is loaded, before the stream says anything.
	expect(await (await page.request.get('/admin/stats')).text()).toContain('Online now');
});

test('a long name is read in full on the leaderboard', async ({ page }) => {
	await page.setViewportSize({ width: 1280, height: 800 });
	await signIn(page);
	await open(page, '/admin/stats');
	const name = page.getByRole('list', { name: 'Playtime' }).getByRole('link').first();
	await expect(name).toBeVisible();
	await name.locator('bdi').evaluate((one) => (one.textContent = 'MMMMMMM_MMMMMMMM'));
	expect(await name.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
});

test('a ban is given a reason by the keyboard alone', async ({ page }) => {
	await signIn(page);
	await open(page, '/admin/players?tab=everyone');
	await page.getByRole('button', { name: 'Ban: quietfox' }).focus();
	await page.keyboard.press('Enter');
	await expect(page.getByLabel('Reason (optional)')).toBeFocused();
	await page.goBack();
	await expect(page.getByRole('dialog')).toHaveCount(0);
	await expect(page).toHaveURL(/tab=everyone$/);
	await page.keyboard.press('Enter');
	await page.keyboard.type('Fished in the fountain');
	await page.keyboard.press('Enter');
	await expect(row(page, 'quietfox')).toContainText('Banned');
	await page.getByRole('link', { name: /^Bans/ }).click();
	await expect(row(page, 'quietfox')).toContainText(
		'Fished in the fountain · by ada, from the dashboard'
	);
});

test.describe('with some online and some not', () => {
	test.use({ env: { DEMO_BOTS: '3', DEMO_STAY: 'true' } });

	test('somebody who is online can be kicked from every list that has them, and is said to be online once', async ({
		page,
		dashboard
	}) => {
		await startGame(dashboard);
		await signIn(page);
		for (const width of [360, 390, 768, 1280, 1920]) {
			await page.setViewportSize({ width, height: 844 });
			for (const tab of ['online', 'everyone']) {
				await open(page, `/admin/players?tab=${tab}`);
				const first = page.locator('main li').first();
				const kick = first.getByRole('button', { name: /^Kick: / });
				await expect(kick).toBeVisible();
				await expect(first.getByText('Online', { exact: true })).toHaveCount(0);
				// At the right edge, as in every other list.
				const last = (await first.getByRole('button').last().boundingBox())!;
				const { x, width: wide } = (await first.boundingBox())!;
				expect(x + wide - last.x - last.width).toBeLessThanOrEqual(16);
				const buttons = await first.getByRole('button').count();
				const more = await first.getByRole('button', { name: /^Whitelist: / }).count();
				expect(buttons - more).toBe(width < 720 ? 1 : 3);
				// One gap between all of them, whatever their words.
				const gaps = await first.getByRole('button').evaluateAll((all) => {
					const boxes = all.map((one) => one.getBoundingClientRect());
					return boxes.slice(1).map(({ left }, i) => Math.round(left - boxes[i]!.right));
				});
				expect(new Set(gaps).size).toBeLessThanOrEqual(1);
				await noSidewaysScroll(page);
			}
		}
		// The only button of somebody who is offline is the same box below that of the others.
		await page.setViewportSize({ width: 1280, height: 844 });
		const boxes = await page.getByRole('button', { name: /^Ban: / }).evaluateAll((all) =>
			all.map((one) => {
				const { x, width } = one.getBoundingClientRect();
				return `${x} ${width}`;
			})
		);
		expect(boxes.length).toBeGreaterThan(
			await page.getByRole('button', { name: /^Kick: / }).count()
		);
		expect(new Set(boxes).size).toBe(1);
		// So it is on the narrowest phone; enlarged there is no room beside a name, and the player's page has the buttons.
		const first = page.locator('main li').first().getByRole('button');
		await page.setViewportSize({ width: 320, height: 844 });
		await expect(first).toHaveText('Kick');
		await noSidewaysScroll(page);
		await page.setViewportSize({ width: 195, height: 422 });
		await expect(first).toHaveCount(0);
	});
});

test.describe('while nobody leaves by themselves', () => {
	test.use({ env: { DEMO_STAY: 'true' } });

	test('the row of who has left stays for a moment, and nobody moves up into its place under a finger', async ({
		page,
		dashboard
	}) => {
		const visitor = await startGame(dashboard);
		await signIn(page);
		for (const viewport of [PHONE, DESKTOP]) {
			await page.setViewportSize(viewport);
			await expect(async () => {
				await open(page, '/admin/players?tab=online');
				expect(await page.locator('main li').count()).toBeGreaterThan(2);
			}).toPass();
			const [first, second] = await page.locator('main li a').allTextContents();
			const below = row(page, second!.trim());
			const before = (await below.boundingBox())!.y;
			const gone = row(page, first!.trim());
			// Whoever was only kicked may be back before the end of this.
			await visitor.json('/api/players', { action: 'ban', player: first!.trim() });
			await expect(gone).toContainText('Left just now');
			await expect(gone.getByRole('button', { name: /^Kick: / })).toBeDisabled();
			expect((await below.boundingBox())!.y).toBe(before);
			// Longer while somebody presses.
			await page.mouse.move(4, before);
			await page.mouse.down();
			await page.waitForTimeout(6000);
			await expect(gone).toContainText('Left just now');
			expect((await below.boundingBox())!.y).toBe(before);
			await page.mouse.up();
			await expect(page.getByText('Left just now')).toHaveCount(0);
			expect((await below.boundingBox())!.y).toBeLessThan(before);
		}
	});
});

test.describe('while nobody comes back within ten seconds', () => {
	test.use({ env: { DEMO_SPEED: '2' } });

	test('nobody moves up under a pointer that rests on the list, nor takes the focus of who was kicked', async ({
		page,
		dashboard
	}) => {
		await startGame(dashboard);
		await signIn(page);
		await page.setViewportSize(DESKTOP);
		await expect(async () => {
			await open(page, '/admin/players?tab=online');
			expect(await page.locator('main li').count()).toBeGreaterThan(2);
		}).toPass();
		const name = (await page.locator('main li a').first().textContent())!.trim();
		const gone = row(page, name);
		const link = gone.getByRole('link', { name });
		await gone.getByRole('button', { name: /^Kick: / }).click();
		await page
			.getByRole('dialog')
			.getByRole('button', { name: `Kick ${name}` })
			.click();
		await expect(gone).toContainText('Left just now');
		await expect(link).toBeFocused();
		await page.mouse.move(4, 4);
		await page.waitForTimeout(6000);
		await expect(link).toBeFocused();
		// With the focus elsewhere the pointer holds it.
		await gone.hover({ position: { x: 8, y: 8 } });
		await page.getByLabel('Search players by name or id').focus();
		await page.waitForTimeout(1500);
		await expect(gone).toContainText('Left just now');
		await page.mouse.move(4, 4);
		await expect(gone).toHaveCount(0);
		await expect(page.getByLabel('Search players by name or id')).toBeFocused();

		// Who is banned can be pardoned at once, from where they were.
		const other = (await page.locator('main li a').first().textContent())!.trim();
		const banned = row(page, other);
		await banned.getByRole('button', { name: /^Ban: / }).press('Enter');
		const dialog = page.getByRole('dialog');
		await expect(dialog).toContainText(`${other} is disconnected, and cannot join again`);
		// Another key says that the question was seen.
		await page.keyboard.press('Shift');
		await dialog.getByLabel('Reason (optional)').press('Enter');
		await expect(banned).toContainText('Banned');
		await expect(banned.getByRole('button')).toHaveText(['Pardon']);
		await expect(banned.getByRole('link', { name: other })).toBeFocused();
		await banned.getByRole('button', { name: 'Pardon' }).click();
		await expect(dialog).toContainText(`${other} can join again`);
	});

	test('who leaves while it is asked whether to kick them is said to have left, and can be banned instead', async ({
		page,
		dashboard
	}) => {
		const visitor = await startGame(dashboard);
		await signIn(page);
		await open(page, '/admin/players?tab=online');
		const name = (await page.locator('main li a').first().textContent())!.trim();
		await page.getByRole('button', { name: `Kick: ${name}` }).click();
		const dialog = page.getByRole('dialog');
		await dialog.getByLabel('Message').fill('Out with the lantern');
		await visitor.json('/api/players', { action: 'kick', player: name });
		await expect(dialog).toContainText(`${name} has just left.`);
		await expect(dialog).not.toContainText('is disconnected');
		await expect(dialog.getByRole('button', { name: `Kick ${name}` })).toBeDisabled();
		await dialog.getByRole('button', { name: 'Ban instead' }).click();
		await expect(dialog.getByRole('heading')).toHaveText(`Ban ${name}?`);
		await expect(dialog.getByLabel('Reason')).toHaveValue('Out with the lantern');
		await dialog.getByRole('button', { name: `Ban ${name}` }).click();
		await inFile(dashboard, 'banned-players.json').toContain(name);
	});
});

test('a player opens beside the list on a wide screen, and as a page on a phone', async ({
	page
}) => {
	await signIn(page);
	await page.setViewportSize(DESKTOP);
	await open(page, '/admin/players?tab=everyone');
	await page.getByRole('link', { name: 'quietfox' }).click();
	const drawer = page.getByRole('complementary', { name: 'Player' });
	await expect(drawer).toContainText('quietfox');
	await expect(page).toHaveURL(/\/admin\/players\?.*player=/);
	await expect(row(page, 'PebbleWick')).toBeVisible();
	await drawer.getByRole('button', { name: 'Remove from whitelist: quietfox' }).click();
	await expect(drawer.getByRole('button', { name: 'Add to whitelist: quietfox' })).toBeVisible();
	await page.reload();
	await ready(page);
	await expect(drawer).toContainText('quietfox');
	await drawer.getByRole('link', { name: 'Statistics' }).click();
	await expect(page.getByRole('region', { name: 'Statistics' })).toContainText('Playtime');
	await page.goBack();
	await drawer.getByRole('link', { name: 'Close' }).click();
	await expect(drawer).toHaveCount(0);
	await expect(page.getByRole('link', { name: 'quietfox' })).toBeFocused();

	await page.keyboard.press('Enter');
	await drawer.getByRole('button', { name: 'Ban: quietfox' }).click();
	await page.keyboard.press('Escape');
	await expect(page.getByRole('dialog')).toHaveCount(0);
	await expect(drawer).toBeVisible();
	await page.keyboard.press('Escape');
	await expect(drawer).toHaveCount(0);
	await expect(page.getByRole('link', { name: 'quietfox' })).toBeFocused();

	await page.setViewportSize(PHONE);
	for (const badge of ['Op', 'Whitelist'])
		await expect(row(page, 'PebbleWick').getByText(badge, { exact: true })).toBeVisible();
	await page.getByRole('link', { name: 'quietfox' }).click();
	await expect(page).toHaveURL(/\/admin\/players\/[0-9a-f-]{36}$/);
	await expect(page.getByRole('heading', { level: 1 })).toHaveText('quietfox');
});

test('a player’s page lists their sessions, by day, and marks the one that is still open', async ({
	page,
	dashboard
}) => {
	const logs = path.join(dashboard.gameDir, 'logs');
	const said = (time: string, text: string) => `[${time}] [Server thread/INFO]: ${text}\n`;
	await mkdir(logs, { recursive: true });
	await writeFile(
		path.join(logs, '2026-03-12-1.log.gz'),
		gzipSync(
			said('09:00:00', 'Starting minecraft server version 1.21.1') +
				said('10:00:00', 'LanternLou joined the game') +
				said('10:45:00', 'LanternLou left the game') +
				said('11:00:00', 'LanternLou joined the game') +
				said('11:20:30', 'Stopping server')
		)
	);
	const visitor = await startGame(dashboard);
	await signIn(page);
	await page.goto('/admin/players?tab=everyone');
	const href = await page.getByRole('link', { name: 'LanternLou' }).getAttribute('href');
	const sessions = page.getByRole('region', { name: 'Sessions' });
	await expect(async () => {
		await page.goto(href!);
		await expect(sessions.getByText('Online now')).toBeVisible({ timeout: 500 });
	}).toPass();
	await sessions
		.getByText(/earlier$/)
		.click({ timeout: 500 })
		.catch(() => {});
	await expect(sessions).toContainText('12 Mar 2026');
	const rows = await sessions.getByRole('listitem').allTextContents();
	const texts = rows.map((text) => text.replace(/\s+/g, ' ').trim());
	expect(texts.slice(-2)).toEqual(['11:00 – 11:20 Server stopped 20 min', '10:00 – 10:45 45 min']);

	// Nowhere on the page somebody who has left is still said to play, and nobody is kicked who is not there.
	const kick = page.getByRole('button', { name: 'Kick: LanternLou' });
	await expect(kick).toBeEnabled();
	await visitor.json('/api/players', { action: 'kick', player: 'LanternLou' });
	await expect(kick).toBeDisabled();
	expect(await page.getByText('Online now').count()).toBe(0);
});

test('a player’s page uses its width: what can be done in two equal columns, sessions beside it', async ({
	page
}) => {
	await signIn(page);
	await page.setViewportSize(DESKTOP);
	await open(page, '/admin/players?tab=everyone');
	const person = (await page.getByRole('link', { name: 'quietfox' }).getAttribute('href'))!;
	await open(page, `/admin/players/${/[0-9a-f-]{36}/.exec(person)![0]}`);
	const boxOf = async (one: Locator) => (await one.boundingBox())!;
	const buttons = await page.getByRole('region', { name: 'Actions' }).getByRole('button').all();
	const boxes = await Promise.all(buttons.map(boxOf));
	expect(new Set(boxes.map(({ width }) => Math.round(width))).size).toBe(1);
	expect(new Set(boxes.map(({ y }) => Math.round(y))).size).toBe(2);
	const sessions = await boxOf(page.getByRole('region', { name: 'Sessions' }));
	expect(sessions.x).toBeGreaterThan(boxes[1]!.x + boxes[1]!.width);
	const panel = await boxOf(page.getByRole('region', { name: 'Player', exact: true }));
	const statistics = await boxOf(page.getByRole('region', { name: 'Statistics' }));
	expect(statistics.y).toBeGreaterThanOrEqual(panel.y + panel.height);
});

test('a player’s page begins with what fits: a pardon, a kick, or the whitelist, and moves nothing afterwards', async ({
	page,
	dashboard
}) => {
	await startGame(dashboard);
	await signIn(page);
	const buttons = page.getByRole('region', { name: 'Actions' }).getByRole('button');
	const idOf = async (tab: string) => {
		await open(page, `/admin/players?tab=${tab}`);
		const href = await page.locator('main li a').first().getAttribute('href');
		await open(page, /\/admin\/players\/[0-9a-f-]{36}/.exec(href!)![0]);
	};
	// Who plays may leave before their page is there.
	await expect(async () => {
		await idOf('online');
		await expect(buttons).toHaveText(['Kick', 'Ban', /whitelist/, /Op|Deop/], { timeout: 1000 });
	}).toPass();
	await idOf('bans');
	await expect(buttons).toHaveText(['Pardon', /whitelist/, 'Op', 'Kick']);
	await buttons.first().click();
	await page
		.getByRole('dialog')
		.getByRole('button', { name: /^Pardon / })
		.click();
	await expect(buttons).toHaveText(['Ban', /whitelist/, 'Op', 'Kick']);
	await expect(buttons.first()).toBeFocused();
	// It means the opposite by now, and shows that at once.
	for (const word of ['Remove from whitelist', 'Add to whitelist']) {
		await buttons.nth(1).click();
		await expect(buttons.nth(1)).toHaveText(word);
	}
});

test('whoever plays and is on no list is whitelisted in their row on a wide screen', async ({
	page,
	dashboard
}) => {
	const visitor = await startGame(dashboard);
	await visitor.json('/api/players', { action: 'whitelist-remove', player: 'quietfox' });
	await signIn(page);
	await page.setViewportSize({ width: 1280, height: 800 });
	await open(page, '/admin/players?tab=online');
	const welcome = page.getByRole('button', { name: /^Whitelist: / });
	const label = (await welcome.first().getAttribute('aria-label'))!;
	await page.getByRole('button', { name: label }).click();
	await inFile(dashboard, 'whitelist.json').toContain(label.replace('Whitelist: ', ''));
	await expect(page.getByRole('button', { name: label })).toHaveCount(0);
	await page.setViewportSize({ width: 1024, height: 800 });
	await expect(welcome.filter({ visible: true })).toHaveCount(0);
});

test('however wide the window, a name is near its buttons, and no row moves into another line beside a player', async ({
	page
}) => {
	await page.setViewportSize({ width: 1920, height: 1080 });
	await signIn(page);
	await open(page, '/admin/players?tab=everyone');
	const rows = page.getByRole('list', { name: 'Everyone' }).getByRole('listitem');
	const boxes = () =>
		rows.evaluateAll((all) =>
			all.map((row) => {
				const { x, y, width } = row.getBoundingClientRect();
				return { x, y, width };
			})
		);
	const before = await boxes();
	expect(before.length).toBeGreaterThan(3);
	for (const { width } of before) expect(width).toBeLessThanOrEqual(900);
	expect(new Set(before.map(({ x }) => x)).size).toBe(2);
	await rows.first().getByRole('link').click();
	await expect(page.getByRole('complementary', { name: 'Player' })).toBeVisible();
	expect((await boxes()).map(({ y }) => y)).toEqual(before.map(({ y }) => y));
	await noSidewaysScroll(page);
});

test('the list follows the search, which has an address', async ({ page }) => {
	await signIn(page);
	await open(page, '/admin/players?tab=everyone');
	await page.getByLabel(/Search players/).fill('FOX');
	await expect(page.locator('main li')).toHaveCount(1);
	await expect(page.getByRole('status').filter({ hasText: '1 player found' })).toHaveCount(1);
	await page.keyboard.press('Enter');
	await expect(page).toHaveURL(/q=FOX/);
	await open(page, '/admin/players?tab=nonsense&q=nobody-has-this');
	await expect(page.getByText('No player here matches')).toBeVisible();
	await page.getByRole('link', { name: 'Clear the search' }).click();
	await expect(page.getByText('No player here matches')).toHaveCount(0);
	await expect(page.getByLabel(/Search players/)).toHaveValue('');
	await page.getByLabel(/Search players/).fill('FOX');
	await page.getByRole('link', { name: 'Look in Everyone' }).click();
	await expect(page).toHaveURL(/tab=everyone&q=FOX/);
	await expect(page.locator('main li')).toHaveCount(1);
	await expect(page.getByRole('link', { name: 'Look in Everyone' })).toHaveCount(0);
});

test('an impossible name is rejected in words, and nothing is written', async ({
	page,
	dashboard
}) => {
	const before = await readFile(path.join(dashboard.gameDir, 'whitelist.json'), 'utf8');
	await signIn(page);
	await open(page, '/admin/players?tab=whitelist');
	await page.getByLabel('Player name').fill('@a');
	await page.getByRole('button', { name: 'Add', exact: true }).click();
	await expect(page.getByText(/A player name has 1 to 16/).first()).toBeVisible();
	await expect(row(page, '@a')).toHaveCount(0);
	expect(await readFile(path.join(dashboard.gameDir, 'whitelist.json'), 'utf8')).toBe(before);
});

for (const javaScriptEnabled of [true, false])
	test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
		test.use({ javaScriptEnabled });

		test('a ban of an impossible name is refused at its field before anything is asked', async ({
			page
		}) => {
			await signIn(page);
			await open(page, '/admin/players?tab=bans');
			const name = page.getByLabel('Player name');
			await name.fill('bad name!');
			await page.getByLabel('Reason').fill('Broke the lantern');
			await page.getByRole('button', { name: 'Ban', exact: true }).click();
			await expect(name).toHaveAccessibleDescription(/A player name has 1 to 16/);
			await expect(name).toHaveValue('bad name!');
			await expect(page.getByLabel('Reason')).toHaveValue('Broke the lantern');
			await expect(page.getByRole('button', { name: /^Ban bad/ })).toHaveCount(0);

			await name.fill('Ore_Or_Not');
			await page.getByRole('button', { name: 'Ban', exact: true }).click();
			await expect(page.getByRole('button', { name: /^Ban Ore_Or_Not/ })).toBeVisible();
			await expect(page.getByLabel('Reason').last()).toHaveValue('Broke the lantern');
		});
	});

for (const javaScriptEnabled of [true, false])
	test.describe(javaScriptEnabled ? 'scripted' : 'plain', () => {
		test.use({ javaScriptEnabled });

		test('names are offered to be banned, and on a phone the list comes before the form', async ({
			page,
			dashboard
		}) => {
			await page.setViewportSize(PHONE);
			await signIn(page);
			const name = page.getByLabel('Player name');
			for (const [tab, form] of [
				['bans', 'Ban a player'],
				['ops', 'Op a player']
			]) {
				await open(page, `/admin/players?tab=${tab}`);
				await expect(page.locator('main li').first()).toBeInViewport({ ratio: 1 });
				await expect(name).toBeHidden();
				await page.getByText(form!, { exact: true }).first().click();
				await expect(name).toBeVisible();
				await page.setViewportSize(DESKTOP);
				await open(page, `/admin/players?tab=${tab}`);
				await expect(page.getByRole('heading', { name: form! })).toBeVisible();
				await expect(name).toBeVisible();
				await page.setViewportSize(PHONE);
			}
			const offered = page.locator('datalist option');
			const all = await offered.count();
			expect(all).toBeGreaterThan(1);
			await expect(page.locator('datalist option[value="LanternLou"]')).toHaveCount(1);
			if (javaScriptEnabled) {
				await page.setViewportSize(DESKTOP);
				await name.fill('LANTERN');
				await expect(offered).toHaveCount(1);
				await expect(offered).toHaveAttribute('value', 'LanternLou');
				await page.setViewportSize(PHONE);
			}
			// There is nothing else to do where nobody is listed.
			await writeFile(path.join(dashboard.gameDir, 'ops.json'), '[]');
			await expect(async () => {
				await open(page, '/admin/players?tab=ops');
				await expect(page.getByText('There are no operators.')).toBeVisible();
			}).toPass();
			await expect(name).toBeVisible();
		});
	});

test('tabs that go on beyond an edge fade there, and the one that is open is in sight', async ({
	page
}) => {
	await page.setViewportSize({ width: 320, height: 640 });
	await page.emulateMedia({ reducedMotion: 'no-preference' });
	// With large letters not all of them have room.
	await page.addInitScript(() =>
		addEventListener('DOMContentLoaded', () => {
			document.documentElement.style.fontSize = '200%';
		})
	);
	await signIn(page);
	const tabs = page.getByRole('navigation', { name: 'Players' });
	const fades = () =>
		tabs.evaluate((nav) =>
			['left', 'right'].map((side) => getComputedStyle(nav).getPropertyValue(`--fade-${side}`))
		);
	await open(page, '/admin/players');
	expect(await fades()).toEqual(['0px', '40px']);
	await open(page, '/admin/players?tab=everyone');
	await expect.poll(fades).toEqual(['40px', '0px']);
	await expect(tabs.getByRole('link', { name: 'Everyone' })).toBeInViewport({ ratio: 0.99 });
	expect(await page.evaluate(() => scrollY)).toBe(0);
	await page.setViewportSize({ width: 700, height: 640 });
	await expect.poll(fades).toEqual(['0px', '0px']);
});

test('after an action by the keyboard the focus is on the next row, and on the heading after the last', async ({
	page
}) => {
	await signIn(page);
	await open(page, '/admin/players?tab=whitelist');
	const remove = page.getByRole('button', { name: /^Remove: / });
	const count = await remove.count();
	expect(count).toBeGreaterThan(1);
	const labels = await remove.evaluateAll((all) => all.map((one) => one.ariaLabel!));
	// Each by its name: on a busy machine the game writes its list so late that somebody may be there once more.
	const press = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter');
	await press(labels[0]!);
	await expect(remove).toHaveCount(count - 1);
	await expect(page.locator(':focus').locator('xpath=ancestor::li')).toContainText(
		labels[1]!.replace('Remove: ', '')
	);
	let left = count - 1;
	for (const label of labels.slice(1)) {
		await press(label);
		await expect(remove).toHaveCount(--left);
	}
	await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('while the server hangs nobody is said to have left, and afterwards who plays is known again', async ({
	page,
	dashboard
}) => {
	await writeFile(path.join(dashboard.gameDir, 'demo-faults.json'), JSON.stringify({ stay: true }));
	await startGame(dashboard);
	await signIn(page);
	await open(page, '/admin/players');
	const name = page.locator('main li a').first();
	await name.click();
	await expect(page).toHaveURL(/player=|players\/[0-9a-f-]{36}/);
	const panel = page.locator('.drawer');
	await expect(panel.getByText('Online', { exact: true })).toBeVisible();
	const goOn = await hold(dashboard);
	await expect(panel).toContainText('whether they are online is not known', { timeout: 60_000 });
	await expect(panel).not.toContainText('Offline');
	await expect(panel).not.toContainText('Is not online');
	await expect(panel.getByRole('button', { name: /^Kick/ })).toBeDisabled();
	await expect(page.locator('main')).toContainText('nobody can say who is playing');
	await expect(page.locator('main')).not.toContainText(/Left (just now|\d)/);
	await page.getByRole('link', { name: 'Everyone' }).click();
	const row = page.locator('main li', { hasText: 'Not known whether still online' }).first();
	await expect(row.getByRole('button', { name: /^Kick/ })).toBeDisabled();
	await page.getByRole('link', { name: 'Online', exact: true }).click();
	goOn();
	await expect(page.locator('main li').first()).toContainText('Joined', { timeout: 60_000 });
	await expect(page.locator('main')).not.toContainText(/Left (just now|\d)/);
	await name.click();
	await expect(panel.getByText('Online', { exact: true })).toBeVisible();
	await expect(panel).not.toContainText('not known');
});
