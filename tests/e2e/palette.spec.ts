import type { Page } from '@playwright/test';
import { ADMIN } from '../harness.ts';
import { flaws } from './walks/axe.ts';
import {
	atOnce,
	expect,
	noSidewaysScroll,
	ready,
	settled,
	signIn,
	state,
	test,
	withoutWorker
} from './fixtures.ts';
import { startGame } from './game.ts';

const palette = (page: Page) => page.getByRole('dialog', { name: 'Command palette' });
const options = (page: Page) => palette(page).getByRole('option');
const chosen = (page: Page) => palette(page).locator('[role="option"][aria-selected="true"]');

async function open(page: Page) {
	await page.keyboard.press('Control+k');
	await expect(palette(page).getByRole('combobox')).toBeFocused();
}
async function run(page: Page, words: string, label: string | RegExp) {
	await open(page);
	await page.keyboard.type(words);
	await expect(chosen(page)).toContainText(label);
	await page.keyboard.press('Enter');
	await expect(palette(page)).toBeHidden();
}
const accessible = async (page: Page) => expect(await flaws(page)).toEqual([]);

test('everybody finds Home, Log in and Theme, and the palette is fetched when it is opened', async ({
	page
}) => {
	await page.goto('/');
	await ready(page);
	await page.waitForLoadState('networkidle');
	const scripts: string[] = [];
	page.on('request', (request) => {
		if (request.resourceType() === 'script') scripts.push(request.url());
	});
	const link = page.getByRole('link', { name: 'Log in' });
	await link.focus();
	await open(page);
	expect(scripts.length).toBeGreaterThan(0);
	await expect(options(page)).toHaveText([/^\s*Home\s*$/, /^\s*Log in\s*$/, /^\s*Theme/]);
	await accessible(page);
	await page.keyboard.press('Escape');
	await expect(palette(page)).toBeHidden();
	await expect(link).toBeFocused();

	const fetched = scripts.length;
	await run(page, 'theme', 'Theme');
	await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
	await open(page);
	await expect(options(page)).toHaveCount(3);
	await page.keyboard.type('zzz');
	await expect(palette(page)).toContainText('Nothing fits “zzz”.');
	// What is suggested instead is not chosen for anybody.
	await expect(options(page)).toHaveCount(3);
	await expect(palette(page).getByRole('status')).toHaveText('Nothing fits, 3 suggested');
	await expect(chosen(page)).toHaveCount(0);
	await accessible(page);
	await page.keyboard.press('Control+k');
	await expect(palette(page)).toBeHidden();
	expect(scripts.length).toBe(fetched);
	await run(page, 'log', 'Log in');
	await expect(page).toHaveURL(/\/login$/);

	// The sign-in page itself brings nothing of it but the key.
	await page.reload();
	await ready(page);
	await run(page, 'ho', 'Home');
	await expect(page).toHaveURL(/\/$/);
});

test('keys reach the field from the first one, wherever the palette is loaded from', async ({
	page
}) => {
	const slow = async () => {
		await page.keyboard.press('Control+k');
		await page.keyboard.type('home');
		await expect(palette(page).getByRole('combobox')).toHaveValue('home');
		await expect(palette(page).getByRole('combobox')).toBeFocused();
	};
	await page.goto('/login');
	await ready(page);
	await page.route('**/_app/**', async (route) => {
		await new Promise((resolve) => setTimeout(resolve, 100));
		await route.continue();
	});
	await page.getByLabel('User name').fill('ada');
	await slow();
	await expect(page.getByLabel('User name')).toHaveValue('ada');
	// A second time everything is there already.
	await page.keyboard.press('Escape');
	await expect(palette(page)).toBeHidden();
	await slow();
	await page.keyboard.press('Enter');
	await expect(page).toHaveURL(/\/$/);
});

test('the list is as high as what was found, and the field stays where it is', async ({ page }) => {
	await page.emulateMedia({ reducedMotion: 'reduce' });
	await signIn(page, ADMIN);
	await ready(page);
	await open(page);
	const box = async () => (await palette(page).boundingBox())!;
	const full = await box();
	await page.keyboard.type('ban Griefer99 for spam');
	await expect(options(page).first()).toContainText('Ban Griefer99…');
	await expect(palette(page).getByRole('status')).toHaveText(/^\d+ results?$/);
	const few = await box();
	expect(few.height).toBeLessThan(full.height - 100);
	expect(few.height).toBeGreaterThan(200);
	expect([few.x, few.y, few.width]).toEqual([full.x, full.y, full.width]);
	await page.keyboard.press('Enter');
	await expect(page.getByRole('textbox', { name: /Reason/ })).toHaveValue('spam');
});

test('an admin sees the admin pages, on a phone through a button', async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 844 });
	await signIn(page, ADMIN);
	await ready(page);
	await page.getByRole('button', { name: /^Commands/ }).click();
	for (const place of ['Overview', 'Players', 'Mods', 'Backups', 'Logs', 'Activity'])
		await expect(options(page).filter({ hasText: new RegExp(`^\\s*${place}\\s*$`) })).toHaveCount(
			1
		);
	await expect(
		options(page).filter({ hasText: /Console|Settings|Kill|Upload|Op a player|Restore/ })
	).toHaveCount(0);
	await noSidewaysScroll(page);
	await accessible(page);
	await page.getByRole('button', { name: 'Close' }).click();
	await expect(palette(page)).toBeHidden();
});

test('Back closes the palette and leaves nothing of it in the history, and neither does what it leads to', async ({
	page
}) => {
	await page.setViewportSize({ width: 390, height: 844 });
	await signIn(page, ADMIN);
	await page.goto('/admin/players');
	await page.goto('/admin');
	await ready(page);
	const commands = page.getByRole('button', { name: /^Commands/ });
	await commands.click();
	await expect(palette(page)).toBeVisible();
	await page.goBack();
	await expect(palette(page)).toBeHidden();
	await expect(page).toHaveURL(/\/admin$/);
	await expect(commands).toBeFocused();
	// Closed by itself, it is gone from there too.
	await commands.click();
	await page.getByRole('button', { name: 'Close' }).click();
	await expect(palette(page)).toBeHidden();
	await run(page, 'backups', 'Backups');
	await expect(page.getByRole('heading', { level: 1, name: 'Backups' })).toBeVisible();
	await page.goBack();
	await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
	await page.goBack();
	await expect(page).toHaveURL(/\/admin\/players$/);
});

test('nothing behind the palette or a dialog moves, wherever the page is scrolled to', async ({
	page
}) => {
	await page.setViewportSize({ width: 1280, height: 480 });
	await signIn(page, ADMIN);
	await ready(page);
	await page.evaluate(() => scrollTo(0, 200));
	const places = () =>
		page.evaluate(() => [
			scrollY,
			innerWidth - document.body.clientWidth,
			...['.rail', '.content > header'].map(
				(one) => document.querySelector(one)!.getBoundingClientRect().top
			)
		]);
	const before = await places();
	expect(before[0]).toBe(200);
	const still = async () => {
		await page.mouse.move(640, 20);
		await page.mouse.wheel(0, 150);
		// Nothing tells when it would have scrolled.
		await page.waitForTimeout(300);
		expect(await places()).toEqual(before);
	};
	await open(page);
	await still();
	await page.keyboard.press('Escape');
	await expect(palette(page)).toBeHidden();
	expect(await places()).toEqual(before);
	await page.keyboard.press('?');
	await page.getByRole('button', { name: 'All shortcuts' }).click();
	await expect(page.getByRole('dialog', { name: 'All shortcuts' })).toBeVisible();
	await still();
	await page.keyboard.press('Escape');
	expect(await places()).toEqual(before);
});

test('a palette that is opened while a page is on its way stays open and keeps its field', async ({
	page
}) => {
	await withoutWorker(page);
	await signIn(page);
	await ready(page);
	let release = () => {};
	const held = new Promise<void>((resolve) => (release = resolve));
	await page.route('**/admin/schedule/__data.json**', async (route) => {
		await held;
		await route.continue();
	});
	await run(page, 'backup every night at 3', 'New task: back up, every day at 03:00…');
	await open(page);
	await page.keyboard.type('theme');
	release();
	await expect(page).toHaveURL(/\/admin\/schedule/);
	await expect(page.getByRole('heading', { level: 1, includeHidden: true })).toHaveText('Schedule');
	await page.keyboard.type(' x');
	await expect(palette(page).getByRole('combobox')).toHaveValue('theme x');
	await page.keyboard.press('Escape');
	await expect(palette(page)).toBeHidden();
	await expect(page).toHaveURL(/\/admin\/schedule/);
});

test('a superadmin goes anywhere, runs the server and jumps to its contents, by keyboard alone', async ({
	page
}) => {
	test.setTimeout(180_000);
	await withoutWorker(page);
	await signIn(page);
	await ready(page);
	let release = () => {};
	const held = new Promise<void>((resolve) => (release = resolve));
	await page.route('**/api/backups', async (route) => {
		await held;
		await route.continue();
	});
	await open(page);
	await expect(options(page).filter({ hasText: /^\s*(?:Console|Settings)\s*$/ })).toHaveCount(2);
	await expect(options(page).filter({ hasText: 'Stop the server' })).toHaveAttribute(
		'aria-disabled',
		'true'
	);
	// Nothing is begun by Enter alone.
	await expect(chosen(page)).toHaveCount(0);
	await page.keyboard.press('Enter');
	await expect(palette(page)).toBeVisible();
	// Commands come before pages; what is not possible now is passed over.
	await page.keyboard.press('ArrowDown');
	await expect(chosen(page)).toHaveText(/Start the server/);
	await page.keyboard.press('ArrowDown');
	await expect(chosen(page)).toHaveText(/Back up now/);
	// Later results do not change a person's selection.
	const told = page.waitForResponse('**/api/backups');
	release();
	await (await told).finished();
	await expect(chosen(page)).toHaveText(/Back up now/);
	const id = (await chosen(page).getAttribute('id'))!;
	await expect(palette(page).getByRole('combobox')).toHaveAttribute('aria-activedescendant', id);
	await page.keyboard.press('Escape');

	await run(page, 'ban mossf', 'Ban Mossfeather…');
	const question = page.getByRole('dialog', { name: 'Ban Mossfeather?' });
	await expect(question).toBeVisible();
	await page.keyboard.press('Escape');
	await expect(question).toBeHidden();
	await expect(page).toHaveURL(/\/admin$/);
	await run(page, 'mossf', 'Mossfeather');
	await expect(page).toHaveURL(/\/admin\/players\/[0-9a-f-]{36}/);
	await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
	await run(page, 'bans', 'Players: Bans');
	await expect(page).toHaveURL(/\/admin\/players\?tab=bans/);
	await run(page, 'ban', 'Ban a player…');
	await expect(page.getByLabel('Player name')).toBeFocused();
	await run(page, 'whitelist', 'Whitelist a player…');
	await expect(page).toHaveURL(/tab=whitelist/);
	await expect(page.getByLabel('Player name')).toBeFocused();
	await run(page, 'search mods', 'Search mods');
	await expect(page.getByRole('searchbox')).toBeFocused();
	await run(page, 'upload', 'Upload a mod…');
	await expect(page.getByLabel('Jar file')).toBeFocused();
	await run(page, 'new task', 'New scheduled task…');
	await expect(page.getByLabel('What')).toBeFocused();
	await run(page, 'backup every night at 3', 'New task: back up, every day at 03:00…');
	await expect(page.getByLabel('What')).toHaveValue('backup');
	await expect(page.getByLabel('At', { exact: true })).toHaveValue('03:00');
	await run(page, 'restart every night when nobody is on', 'New task: restart, every day');
	await expect(page.getByLabel('If somebody is playing')).toHaveValue('wait');
	await run(page, 'stop when empty for 30 minutes', 'New trigger: stop');
	await expect(page.getByLabel('When this happens')).toHaveValue('empty');
	await expect(page.getByLabel('For at least')).toHaveValue('30');
	await expect(page.getByLabel('Do', { exact: true })).toHaveValue('stop');
	await run(page, 'announce hello every hour', 'New task: announce “hello”, every hour…');
	await expect(page.getByLabel('How often')).toHaveValue('1');
	await expect(page.getByLabel('Message to the players')).toHaveValue('hello');
	await run(page, 'upgrade', 'Upgrade Minecraft…');
	await expect(page).toHaveURL(/server\/upgrade/);
	await run(page, 'whitelist steve', 'Whitelist steve…');
	await expect(page.getByLabel('Player name')).toHaveValue('steve');
	await run(page, 'ban steve', 'Ban steve…');
	await expect(page.getByText('No player of this name is known here.')).toBeVisible();
	await expect(page.getByRole('button', { name: 'Ban steve' })).toBeEnabled();
	await page.keyboard.press('Escape');
	await open(page);
	await page.keyboard.type('stop server in 5 minutes');
	await expect(options(page).first()).toContainText('Stop the server…');
	await expect(options(page).first()).toContainText('The server is not running.');
	await expect(chosen(page)).toHaveCount(0);
	await page.keyboard.press('Escape');
	await open(page);
	await page.keyboard.type('sftp');
	await expect(options(page)).toHaveCount(1);
	await expect(options(page)).toContainText('Not here');
	// There is nothing to choose.
	await expect(palette(page).locator('.palette-keys')).toHaveText('Esc close');
	await page.keyboard.press('Escape');
	await run(page, 'disable lithium', 'Disable Lithium…');
	await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Disable Lithium/);
	await run(page, 'tps', 'How fast the server runs');
	await expect(page).toHaveURL(/\/admin\/analytics#tps$/);
	await run(page, 'lithium', 'Lithium');
	await expect(page).toHaveURL(/\/admin\/mods\?mod=lithium/);
	await open(page);
	await expect(options(page).first()).toContainText('Lithium');
	await expect(options(page).nth(1)).toContainText('How fast the server runs');
	await page.keyboard.press('Escape');

	await run(page, 'check mod', 'Check for mod updates');
	await expect(page.getByText(/updates? (?:is|are) available|up to date/).first()).toBeVisible();
	await run(page, 'create backup', 'Back up now');
	await expect(page).toHaveURL(/\/admin\/operations\//);
	await expect(page.getByText(/succeeded|backup is made|Backed up/i).first()).toBeVisible();

	await page.goto('/admin');
	await ready(page);
	await run(page, 'backup of', /Backup of/);
	await expect(page).toHaveURL(/tab=backups&backup=/);
	const begun = page.waitForResponse(/\?\/start$/);
	await run(page, 'start', 'Start the server');
	await begun;
	await page.goto('/admin');
	await ready(page);
	await expect(state(page)).toHaveText(/Running/);
	await run(page, 'say hello', 'Say “hello” in the chat…');
	await expect(page.getByLabel('Message to everybody')).toHaveValue('hello');
	await run(page, 'say good night', 'Say “good night” in the chat…');
	await expect(page.getByLabel('Message to everybody')).toHaveValue('good night');
	await run(page, '/time set day', 'Console: time set day');
	await expect(page.getByLabel('Command', { exact: true })).toHaveValue('time set day');
	await expect(page.getByText('No commands yet.')).toBeVisible();
	await run(page, 'stop', 'Stop the server');
	const stop = page.getByRole('dialog', { name: 'Stop the server?' });
	await expect(stop).toBeVisible();
	await atOnce(page);
	// Another key says that the question was seen.
	await page.keyboard.press('Shift');
	await stop.getByRole('button', { name: /^Stop/ }).press('Enter');
	await expect(stop).toBeHidden();
	await expect(page).toHaveURL(/\/admin\/console\?/);
	await settled(page);
	await page.goto('/admin');
	await expect(state(page)).toHaveText(/Stopped/);
});

test.describe('while nobody leaves by themselves', () => {
	test.use({ env: { DEMO_STAY: 'true' } });

	test('a kick by the keyboard alone leaves one where one was', async ({ page, dashboard }) => {
		await startGame(dashboard);
		await signIn(page);
		await page.goto('/admin/chat');
		await ready(page);
		const link = page.getByRole('link', { name: 'Overview' }).first();
		await link.focus();
		await open(page);
		await page.keyboard.type('kick');
		const one = options(page).filter({ hasText: /Kick [A-Za-z0-9_]{3,}…/ });
		const name = /Kick (\w+)…/.exec((await one.first().textContent())!)![1]!;
		await page.keyboard.press('Escape');
		await run(page, `kick ${name}`, `Kick ${name}`);
		const question = page.getByRole('dialog', { name: `Kick ${name}?` });
		const message = question.getByLabel('Message (optional)');
		await expect(message).toBeFocused();
		await accessible(page);
		// Back closes it, and so does Escape.
		await page.goBack();
		await expect(question).toBeHidden();
		await expect(page).toHaveURL('/admin/chat');
		await expect(link).toBeFocused();
		await run(page, `kick ${name}`, `Kick ${name}`);
		await expect(message).toBeFocused();
		await page.keyboard.press('Escape');
		await expect(question).toBeHidden();
		await expect(link).toBeFocused();
		await open(page);
		await page.keyboard.type(`kick ${name}`);
		await expect(palette(page)).toContainText('Enter do it, asks first');
		await page.keyboard.press('Escape');
		await run(page, 'stop', 'Stop the server');
		const stop = page.getByRole('dialog', { name: /^Stop/ });
		await expect(stop.getByRole('button', { name: /^Stop/ })).toBeFocused();
		await page.keyboard.press('Escape');
		await expect(stop).toBeHidden();
		await run(page, 'kill', 'Kill the server');
		const kill = page.getByRole('dialog', { name: /^Kill/ });
		await expect(kill.getByRole('button', { name: 'Cancel' })).toBeFocused();
		await page.keyboard.press('Escape');
		await expect(kill).toBeHidden();
		await run(page, `kick ${name}`, `Kick ${name}`);
		await expect(message).toBeFocused();
		await page.keyboard.type('Good night');
		await expect(message).toHaveValue('Good night');
		await page.keyboard.press('Enter');
		await expect(page.getByText(`${name} was kicked`)).toBeVisible();
		await expect(question).toBeHidden();
		await expect(page).toHaveURL('/admin/chat');
	});
});

test('a restart in five minutes is asked about over the page, whatever happens meanwhile', async ({
	page,
	dashboard
}) => {
	await startGame(dashboard);
	await page.setViewportSize({ width: 844, height: 390 });
	await signIn(page);
	await page.goto('/admin/logs');
	await ready(page);
	await run(page, 'restart in 5 minutes', 'Restart the server…');
	const question = page.getByRole('dialog', { name: 'Restart the server?' });
	await expect(question.getByLabel('When')).toHaveValue('300');
	const message = question.getByRole('textbox');
	await message.fill('Back soon');
	await page.evaluate(() => fetch('/api/backups', { method: 'POST', body: '{}' }));
	await page.waitForTimeout(1000);
	await expect(message).toHaveValue('Back soon');
	await expect(question.getByRole('button', { name: /^Restart/ })).toBeInViewport();
	await noSidewaysScroll(page);
	await accessible(page);
	await page.keyboard.press('Escape');
	await expect(question).toBeHidden();
	await expect(page).toHaveURL('/admin/logs');
});

test('a guess is not chosen for anybody, and Enter does nothing until they choose', async ({
	page
}) => {
	await signIn(page);
	await ready(page);
	await open(page);
	await page.keyboard.type('delete a player');
	await expect(palette(page)).toContainText('Perhaps one of these');
	await expect(options(page).first()).toContainText('Enable, disable or remove mods');
	await expect(chosen(page)).toHaveCount(0);
	const keys = palette(page).locator('.palette-keys');
	await expect(keys).toContainText('choose first');
	await expect(keys).not.toContainText('Enter');
	await page.keyboard.press('Enter');
	await expect(palette(page)).toBeVisible();
	await page.keyboard.press('ArrowDown');
	await expect(chosen(page)).toContainText('Enable, disable or remove mods');
	await expect(keys).toContainText('Enter open');
	await accessible(page);
	await page.keyboard.press('Enter');
	await expect(page).toHaveURL(/\/admin\/mods$/);
});

test('somebody logs out by typing it', async ({ page }) => {
	await signIn(page, ADMIN);
	await ready(page);
	await open(page);
	await page.keyboard.type('log');
	await expect(chosen(page)).toContainText('Search the log');
	await page.keyboard.type(' out');
	await expect(chosen(page)).toContainText('Log out');
	await page.keyboard.press('Enter');
	await expect(page.getByRole('link', { name: 'Log in' }).first()).toBeVisible();
	await page.goto('/admin');
	await expect(page).toHaveURL(/\/login/);
});
