import { appendFile, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import type { Operation } from '#schemas/operation';
import { ADMIN, signedIn } from '../harness.ts';
import {
	atOnce,
	comesToRest,
	expect,
	noSidewaysScroll,
	ready,
	signIn,
	state,
	test
} from './fixtures.ts';
import { startGame } from './game.ts';
import { furnish } from './pages.ts';
import { flaws } from './walks/axe.ts';

const OPERATION_MS = 60_000;
const OPS = '[]\n';

/** Faster than any answer: the page itself makes sure that it is requested only once. */
const pressedTwice = (button: Locator) =>
	button.evaluate((one: HTMLButtonElement) => {
		one.click();
		one.click();
	});

/** On a phone the actions of a task or a trigger are behind one button. */
async function actionsOf(list: Locator) {
	await list.page().waitForLoadState();
	const opener = list.locator('details:not([open]) > summary');
	if (await opener.isVisible()) await opener.click();
}

/** The ways out of a restore are in sight, however wide the window is. */
async function leadsBack(page: Page) {
	const before = page.viewportSize()!;
	for (const width of [320, 390, 719, 720, 1024, 1920]) {
		await page.setViewportSize({ width, height: 700 });
		for (const name of ['Cancel', 'The backup']) {
			const link = page.getByRole('link', { name, exact: true });
			await expect(link).toBeInViewport({ ratio: 1 });
			await expect(link).toHaveAttribute('href', /^\/admin\/backups\?backup=/);
		}
	}
	await page.setViewportSize(before);
}

test.describe('with three who play', () => {
	// More of them fill the window by their names.
	test.use({ env: { DEMO_BOTS: '3', DEMO_STAY: 'true' } });

	test('a backup is made, verified, restored and deleted', async ({ page, dashboard }) => {
		test.slow();
		const world = path.join(dashboard.gameDir, 'world', 'marker.txt');
		await startGame(dashboard);
		await writeFile(world, 'then');
		await signIn(page);
		await page.goto('/admin/backups');
		await ready(page);
		await expect(page.getByText(/The server keeps running; saving pauses/)).toBeVisible();
		await page.getByLabel('Note (optional)').fill('Before the party');
		await pressedTwice(page.getByRole('button', { name: 'Back up now' }));
		await expect(page).toHaveURL(/\/admin\/operations\//);
		await expect(page.locator('main .ending')).toContainText('Done', { timeout: OPERATION_MS });

		await writeFile(world, 'now');
		await page.goto('/admin/backups');
		await ready(page);
		const list = page.getByRole('list', { name: 'Backups' });
		await expect(list).toContainText('Before the party');
		await list.getByRole('link').first().click();
		// Somebody else looks at the list meanwhile; nobody reloads anything.
		const other = await page.context().newPage();
		await other.goto('/admin/backups');
		await ready(other);
		// The four buttons are a grid: two columns of one width.
		const buttons = page.locator('.pairs .button');
		await expect(buttons).toHaveCount(4);
		const widths = await buttons.evaluateAll((all) =>
			all.map((one) => Math.round(one.getBoundingClientRect().width))
		);
		expect(new Set(widths).size, widths.join()).toBe(1);
		await page.getByRole('button', { name: 'Verify' }).click();
		const theirs = other.getByRole('list', { name: 'Backups' });
		for (const one of [list, theirs])
			await expect(one).toContainText('Verified', { timeout: 20_000 });
		await expect(page.getByText('Verified: everything in it is as it was')).toBeVisible();
		await expect(page.getByRole('main')).not.toContainText('Not yet');
		await other.close();
		await page.getByRole('link', { name: /Restore/ }).click();
		await expect(page.getByRole('main')).toContainText('is undone');
		await expect(page.getByRole('main')).toContainText(', online now');
		const decide = page.getByRole('button', { name: 'Restore everything · in 1 min' });
		await expect(decide).toBeInViewport();
		// Who loses something is read before it can be pressed unseen.
		await expect(page.getByText(/will lose what they did/)).toBeInViewport({ ratio: 1 });
		// So is all that is undone, in the first window of a small laptop.
		await page.setViewportSize({ width: 1280, height: 800 });
		const undone = (await page.getByRole('list', { name: 'What is restored' }).boundingBox())!;
		const bar = (await page.getByRole('group', { name: 'Decide' }).boundingBox())!;
		expect(undone.y + undone.height).toBeLessThanOrEqual(bar.y);
		await leadsBack(page);
		// Where there is one world there is nothing to choose.
		await page.getByLabel('What', { exact: true }).selectOption('world');
		await expect(page.getByLabel('World', { exact: true })).toHaveValue('world');
		await expect(page.getByRole('region', { name: 'What happens' })).toBeVisible();
		await page.getByLabel('What', { exact: true }).selectOption('all');
		await expect(page.getByLabel('World', { exact: true })).toHaveCount(0);
		await expect(page.getByRole('main')).toContainText('is undone');
		// Of a countdown only while there is one.
		const first = page.getByText('Made before the countdown begins.');
		await expect(first).toBeVisible();
		await atOnce(page);
		await expect(first).toHaveCount(0);
		await pressedTwice(page.getByRole('button', { name: 'Restore' }));
		await expect(page.locator('main .ending')).toContainText('Done', { timeout: OPERATION_MS });
		expect(await readFile(world, 'utf8')).toBe('then');
		const operations = await page.request.get('/api/operations');
		const kinds = (await operations.json()).operations.map(({ kind }: Operation) => kind);
		expect(kinds).toEqual(['restore', 'backup', 'start']);

		await page.getByRole('link', { name: 'Undo this restore' }).click();
		await expect(page.getByRole('heading', { name: 'Undo this restore?' })).toBeVisible();
		await expect(page.getByRole('link', { name: /^restore of the backup of / })).toBeVisible();
		await page.getByLabel('Back up what is there now first').uncheck();
		await atOnce(page);
		await page.getByRole('button', { name: 'Undo the restore' }).click();
		await expect(page).toHaveURL(/\/admin\/operations\//);
		await expect(page.locator('main .ending')).toContainText('Done', { timeout: OPERATION_MS });
		expect(await readFile(world, 'utf8')).toBe('now');
		await expect(page.getByRole('heading', { level: 1 })).toHaveText(
			/^Undo the restore of the backup of /
		);
		await expect(page.getByRole('link', { name: 'the restore it undoes' })).toHaveAttribute(
			'href',
			/^\/admin\/operations\//
		);
		await expect(page.getByText('What was replaced stays beside the world')).toBeVisible();
		await expect(page.getByRole('link', { name: 'Undo this restore' })).toHaveCount(0);

		for (const left of [1, 0]) {
			await page.goto('/admin/backups');
			await ready(page);
			if (left) await expect(list).toContainText('Before the restore of everything');
			await list.getByRole('link').first().click();
			await page.getByRole('link', { name: /Delete/ }).click();
			await page.getByRole('button', { name: 'Delete' }).click();
			await expect(page).toHaveURL(/\/admin\/backups$/);
			await expect(list.getByRole('link')).toHaveCount(left);
		}
		await expect(page.getByText('There are no backups yet')).toBeVisible();
	});
});

for (const javaScriptEnabled of [true, false])
	test.describe(`in another time zone, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, () => {
		test.use({ timezoneId: 'Europe/Berlin', javaScriptEnabled, env: { DEMO_STAY: 'true' } });
		const hydrated = (page: Page) => (javaScriptEnabled ? ready(page) : Promise.resolve());

		test('players are told before a restore stops their server, and it can be called off', async ({
			page,
			dashboard
		}) => {
			await startGame(dashboard);
			await signIn(page);
			await page.goto('/admin/backups');
			await hydrated(page);
			await page.getByRole('button', { name: 'Back up now' }).click();
			await expect(page.locator('main .ending')).toContainText('Done', { timeout: OPERATION_MS });
			const { backups } = (await (await page.request.get('/api/backups')).json()) as {
				backups: { id: string; createdAt: string }[];
			};
			const [{ id, createdAt }] = backups as [(typeof backups)[0]];
			await page.goto(`/admin/backups/restore?backup=${id}`);
			await hydrated(page);
			await expect(page.getByText(/^Stops the server/)).toBeVisible();
			await page.getByLabel('When').selectOption('In 5 minutes');
			await page.getByLabel('Message to the players').fill('Back soon');
			for (const width of [320, 1280]) {
				await page.setViewportSize({ width, height: 800 });
				await noSidewaysScroll(page);
				if (javaScriptEnabled) expect(await flaws(page)).toEqual([]);
			}
			// On a phone they are further down: what is chosen there stands beside the button.
			await page.setViewportSize({ width: 320, height: 640 });
			const decide = page.getByRole('group', { name: 'Decide' });
			const first = page.getByText('Back up what is there now first');
			await page.evaluate(() => scrollTo(0, 0));
			await decide.getByRole('link', { name: 'Change' }).click();
			await expect(page.getByLabel('When')).toBeInViewport({ ratio: 1 });
			if (javaScriptEnabled) {
				await expect(decide).toContainText('Everything, with a backup first');
				await first.click();
				await expect(decide).toContainText('Everything, without a backup first');
				await first.click();
			} else await expect(decide).toContainText('Whether there is a backup first is chosen above.');
			await page.setViewportSize({ width: 1280, height: 800 });
			await expect(decide.getByRole('link', { name: 'Change' })).toBeVisible();
			await page.getByRole('button', { name: 'Restore everything' }).click();
			const timeline = page.getByRole('region', { name: 'What happens' });
			const told = 'The server restarts in 5 minutes. Back soon';
			await expect(timeline).toContainText(`“${told}”`, { timeout: OPERATION_MS });
			if (javaScriptEnabled) expect(await flaws(page)).toEqual([]);
			const timeZone = javaScriptEnabled ? 'Europe/Berlin' : 'UTC';
			const at = new Date(createdAt).toLocaleTimeString('en-GB', { timeZone });
			await expect(page.getByRole('heading', { level: 1 })).toHaveText(
				new RegExp(`^Restore the backup of [\\w ]+, ${at}${javaScriptEnabled ? '' : ' UTC'}$`)
			);
			await page.getByRole('button', { name: 'Cancel' }).click();
			await expect(page.locator('main .ending')).toContainText('Cancelled before');
			await expect(timeline).toContainText('“The restart was called off.”');
			await page.goto('/admin/chat');
			const chat = page.getByRole('log', { name: 'Chat' });
			for (const text of [told, 'The restart was called off.'])
				await expect(chat.getByText(text, { exact: true })).toHaveCount(1);
			await page.goto('/admin');
			await expect(state(page)).toHaveText(/Running/);
		});
	});

test('an admin makes backups and previews tasks, and is kept from the rest', async ({ page }) => {
	await signIn(page, ADMIN);
	await page.goto('/admin/backups');
	await ready(page);
	await page.getByRole('button', { name: 'Back up now' }).click();
	await expect(page.locator('main .ending')).toContainText('Done', { timeout: OPERATION_MS });
	await page.goto('/admin/backups');
	await ready(page);
	await page.getByRole('list', { name: 'Backups' }).getByRole('link').first().click();
	await expect(page.getByText('Only a superadmin can restore')).toBeVisible();
	for (const name of [/Restore/, /Download/, /Delete/])
		await expect(page.getByRole('link', { name })).toHaveCount(0);

	await page.goto('/admin/schedule');
	await ready(page);
	const coming = (time: string) => new RegExp(`Next runs: (?:[^·]+ ${time}(?:\\s+· |\\s*$)){3}`);
	await expect(page.getByText(coming('04:00'))).toBeVisible();
	await page.getByLabel('When').selectOption('cron');
	await page.getByLabel('Cron expression').fill('30 4 * * 8');
	await expect(page.getByText('The day of the week goes from 0 to 7')).toBeVisible();
	await expect(page.getByText(/Next runs/)).toHaveCount(0);
	await page.getByLabel('Cron expression').fill('45 6 * * 1');
	await expect(page.getByText(coming('06:45'))).toContainText('Mon');
});

test.describe('without JavaScript', () => {
	test.use({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
	// Many pages, each of which waits for a busy machine.
	test.slow();

	test('snapshots, backups and tasks work with plain forms', async ({ page, dashboard }) => {
		await writeFile(path.join(dashboard.gameDir, 'ops.json'), OPS);
		await signIn(page);
		await page.goto('/admin/backups?tab=snapshots');
		await page.getByText(/^With a note/).click();
		await page.getByLabel('Note (optional)').fill('by hand');
		await page.getByRole('button', { name: 'Take a snapshot' }).click();
		await expect(page.getByText('Snapshot taken.')).toBeVisible();
		await page.getByRole('list', { name: 'Snapshots' }).getByRole('link').click();
		await page.getByRole('button', { name: 'Pin' }).click();
		await expect(page.getByText('Pinned.', { exact: true })).toBeVisible();
		await expect(page.getByRole('main')).toContainText(', by ada');
		await expect(page.getByRole('listitem').filter({ hasText: 'Lantern Keeper' })).toBeVisible();
		const jar = path.join(dashboard.gameDir, 'mods', 'lantern-keeper-1.4.2.jar');
		await rm(jar);
		const snapshot = page.url();
		await page.goto(snapshot.replace('/backups?', '/backups/confirm?do=put-back&'));
		await expect(page.getByRole('heading', { name: 'Put the old mods back?' })).toBeVisible();
		await expect(page.getByRole('button', { name: 'Put them back' })).toBeVisible();
		// It belongs to the mods, leads back, and on a phone its buttons stay.
		await page.setViewportSize({ width: 390, height: 500 });
		await expect(page.getByRole('button', { name: 'Put them back' })).toBeInViewport({ ratio: 1 });
		await expect(page.locator('nav.bottom').getByRole('link', { name: 'Mods' })).toHaveAttribute(
			'aria-current',
			'page'
		);
		await expect(page.getByRole('main').getByRole('link', { name: 'Snapshots' })).toBeVisible();
		await page.setViewportSize({ width: 390, height: 844 });
		await page.goto(snapshot);
		await page.getByRole('link', { name: /Restore/ }).click();
		await expect(page.getByRole('region', { name: 'Comes back' })).toContainText('Lantern Keeper');
		await expect(page.getByRole('region', { name: /Goes away|Changes/ })).toHaveCount(0);
		await page.getByRole('button', { name: 'Restore' }).click();
		await comesToRest(page);
		await expect(page.locator('main .ending')).toContainText('Done');
		expect((await stat(jar)).isFile()).toBe(true);

		const rows = page.getByRole('list', { name: 'Snapshots' }).getByRole('listitem');
		const prune = async (keep: string) => {
			await page.goto('/admin/backups?tab=snapshots');
			await page.getByLabel('Keep the newest').fill(keep);
			await page.getByRole('button', { name: 'Remove the others…' }).click();
		};
		// One is pinned, and the restore has taken one.
		await prune('1');
		await expect(page.getByText('There is nothing to remove')).toBeVisible();
		await page.getByRole('link', { name: 'Back to the snapshots' }).click();
		await page.getByText(/^With a note/).click();
		await page.getByLabel('Note (optional)').fill('the newest');
		await page.getByRole('button', { name: 'Take a snapshot' }).click();
		await expect(rows).toHaveCount(3);
		await prune('1');
		await expect(page.getByRole('heading', { name: 'Remove one snapshot?' })).toBeVisible();
		await expect(page.getByRole('list', { name: 'To be removed' })).toContainText(
			'Before restoring the snapshot'
		);
		await page.getByRole('link', { name: 'Cancel' }).click();
		await expect(rows).toHaveCount(3);
		await prune('1');
		await page.getByRole('button', { name: 'Remove it' }).click();
		await expect(page.getByText('One snapshot was removed.')).toBeVisible();
		await expect(rows).toHaveCount(2);

		await page.goto('/admin/schedule');
		await page.getByLabel('What').selectOption('say');
		await page.getByLabel('When').selectOption('weekly');
		await page.getByLabel('Day', { exact: true }).selectOption('1');
		await page.getByLabel('At', { exact: true }).fill('04:30');
		await page.getByLabel('Message to the players').fill('Bed time');
		await page.getByRole('button', { name: 'Schedule it' }).click();
		const tasks = page.getByRole('list', { name: 'Tasks' });
		await expect(tasks).toContainText('Every Monday at 04:30, announce “Bed time”');
		await actionsOf(tasks);
		await page.getByRole('button', { name: /Disable/ }).click();
		await expect(page.getByText('disabled', { exact: true })).toBeVisible();
		await expect(page.getByText(/^next/)).toHaveCount(0);
		expect(await readFile(path.join(dashboard.dataDir, 'crontab'), 'utf8')).toMatch(
			/^#DISABLED 30 4 \* \* 1 /
		);
		await actionsOf(tasks);
		await page.getByRole('button', { name: /Run now/ }).click();
		await expect(page.getByText(/It failed/)).toBeVisible({ timeout: 20_000 });
		await actionsOf(tasks);
		await page.getByRole('link', { name: /Change/ }).click();
		await expect(page.getByLabel('Message to the players')).toHaveValue('Bed time');
		await page.getByLabel('What').selectOption('restart');
		await page.getByLabel('If somebody is playing').selectOption('only');
		await page.getByRole('button', { name: 'Save' }).click();
		await expect(tasks).toContainText('Every Monday at 04:30, restart when nobody plays');
		// It throws nobody out, so it begins at once; what does asks first.
		await actionsOf(tasks);
		const plain = tasks.getByRole('button', { name: /Run now/ });
		await expect(plain).toBeVisible();
		const { width } = (await plain.boundingBox())!;
		await plain.click();
		await expect(page.getByText(/^Skipped: /).first()).toBeVisible();
		await expect(page.getByText(/^Done\. /)).toHaveCount(0);
		await actionsOf(tasks);
		await page.getByRole('link', { name: /Change/ }).click();
		await page.getByLabel('What').selectOption('stop');
		await page.getByRole('button', { name: 'Save' }).click();
		await expect(tasks).toContainText('Every Monday at 04:30, stop the server');
		await actionsOf(tasks);
		await expect(tasks.getByRole('button', { name: /Run now/ })).toHaveCount(0);
		const asking = tasks.getByRole('link', { name: /Run now/ });
		expect((await asking.boundingBox())!.width).toBeCloseTo(width, 0);
		await asking.click();
		await expect(page.getByRole('heading', { name: 'Run this task now?' })).toBeVisible();
		await expect(page.getByText('Nobody is playing.')).toBeVisible();
		await page.getByRole('link', { name: 'Cancel' }).click();
		await expect(tasks).toContainText('Every Monday at 04:30, stop the server');
		await page.getByRole('link', { name: 'New trigger' }).click();
		await page.getByLabel('When this happens').selectOption('empty');
		await page.getByLabel('For at least').fill('30');
		await page.getByLabel('Do', { exact: true }).selectOption('stop');
		await page.getByRole('button', { name: 'Add the trigger' }).click();
		const triggers = page.getByRole('list', { name: 'Triggers' });
		await expect(triggers).toContainText('When nobody has played for 30 minutes, stop the server');
		await actionsOf(triggers);
		await triggers.getByRole('link', { name: /Change/ }).click();
		await page.getByLabel('When this happens').selectOption('joined');
		await page.getByLabel('When this happens').selectOption('empty');
		await page.getByLabel('For at least').fill('45');
		await page.getByRole('button', { name: 'Save' }).click();
		await expect(triggers).toContainText('for 45 minutes, stop the server');
		// There is no space for it in a row on a phone.
		await actionsOf(triggers);
		await triggers.getByRole('link', { name: /Change/ }).click();
		await page.getByRole('link', { name: /Remove/ }).click();
		await page.getByRole('button', { name: 'Remove' }).click();
		await expect(page.getByText('There are no triggers yet')).toBeVisible();
		await actionsOf(tasks);
		await tasks.getByRole('link', { name: /Change/ }).click();
		await page.getByRole('link', { name: /Remove/ }).click();
		await page.getByRole('button', { name: 'Remove' }).click();
		await expect(page.getByText('Nothing is scheduled yet')).toBeVisible();
		expect(await readFile(path.join(dashboard.dataDir, 'crontab'), 'utf8')).toBe('');
	});

	test('a backup is made, noted, pinned, verified, restored and deleted with plain forms', async ({
		page,
		dashboard
	}) => {
		const world = path.join(dashboard.gameDir, 'world', 'marker.txt');
		const done = async () => {
			await comesToRest(page);
			await expect(page.locator('main .ending')).toContainText('Done');
		};
		await mkdir(path.dirname(world), { recursive: true });
		await writeFile(world, 'then');
		await signIn(page);
		await page.goto('/admin/backups');
		await page.getByRole('button', { name: 'Back up now' }).click();
		await done();

		await writeFile(world, 'now');
		await page.goto('/admin/backups');
		const list = page.getByRole('list', { name: 'Backups' });
		await list.getByRole('link').click();
		await page.getByLabel('Note', { exact: true }).fill('Before the party');
		await page.getByRole('button', { name: 'Save' }).click();
		await expect(page.getByText('Note saved.')).toBeVisible();
		await page.getByRole('button', { name: 'Pin' }).click();
		await expect(page.getByText('Pinned.', { exact: true })).toBeVisible();
		await page.getByRole('button', { name: 'Verify' }).click();
		// The page refreshes itself; the word stands in the row, above the detail and as a fact.
		const verified = page.getByRole('main').getByText('Verified', { exact: true });
		await expect(verified).toHaveCount(3, { timeout: OPERATION_MS });
		await comesToRest(page);

		await page.goto('/admin/backups');
		await expect(list).toContainText('Verified');
		await expect(list).toContainText('Before the party');
		await list.getByRole('link').click();
		await page.getByRole('link', { name: /Restore/ }).click();
		await leadsBack(page);
		await page.getByLabel('What', { exact: true }).selectOption('world');
		await page.getByRole('button', { name: 'Show' }).click();
		await page.getByLabel('World', { exact: true }).selectOption('world');
		await page.getByRole('button', { name: 'Show' }).click();
		await expect(page.getByRole('main')).toContainText('is undone');
		await expect(page.getByLabel('Back up what is there now first')).toBeChecked();
		await page.getByLabel('Back up what is there now first').uncheck();
		await page.getByRole('button', { name: 'Restore' }).click();
		await done();
		expect(await readFile(world, 'utf8')).toBe('then');
		await expect(page.getByText('What was replaced stays beside the world')).toBeVisible();

		await page.goto('/admin/backups');
		await list.getByRole('link').click();
		await page.getByRole('link', { name: /Delete/ }).click();
		await page.getByRole('button', { name: 'Delete' }).click();
		await expect(page.getByText('This backup is pinned. Unpin it first.')).toBeVisible();
		await page.goto('/admin/backups');
		await list.getByRole('link').click();
		await page.getByRole('button', { name: 'Unpin' }).click();
		await page.getByRole('link', { name: /Delete/ }).click();
		await page.getByRole('button', { name: 'Delete' }).click();
		await expect(page.getByText('There are no backups yet')).toBeVisible();
	});
});

test('a backup task has one button to run it; one that always makes a backup is on its own page', async ({
	page
}) => {
	await signIn(page);
	await page.goto('/admin/schedule');
	await ready(page);
	const schedule = page.getByRole('button', { name: 'Schedule it' });
	await expect(schedule).toBeInViewport();
	// What is chosen may be out of sight there.
	await expect(schedule).toHaveAccessibleDescription(
		/^Backup every day, first (today|tomorrow) at \d\d:\d\d$/
	);
	await schedule.click();
	const tasks = page.getByRole('list', { name: 'Tasks' });
	await expect(tasks.locator('b')).toBeFocused();
	await expect(tasks.getByRole('button')).toHaveText([/^\s*Run now/, /^\s*Disable/]);
	await page.setViewportSize({ width: 768, height: 900 });
	const places = await tasks.locator('b, .button:visible').evaluateAll((all) =>
		all.map((one) => {
			const { left, top } = one.getBoundingClientRect();
			return { left: Math.round(left), top: Math.round(top) };
		})
	);
	const [title, ...actions] = places;
	expect(actions).toHaveLength(4);
	expect(actions[0]!.left).toBe(title!.left);
	expect(new Set(actions.map(({ top }) => top)).size).toBe(1);
	await tasks.getByRole('link', { name: /^Change/ }).click();
	await page.getByRole('button', { name: 'Back up now' }).click();
	await expect(page).toHaveURL(/\/admin\/operations\//);
});

for (const javaScriptEnabled of [true, false])
	test.describe(`tasks on a phone, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, () => {
		test.use({ javaScriptEnabled, viewport: { width: 390, height: 844 } });

		test('are mostly sentences, and one press shows what can be done with each', async ({
			page
		}) => {
			await signIn(page);
			await page.goto('/admin/schedule');
			if (javaScriptEnabled) await ready(page);
			await page.getByRole('button', { name: 'Schedule it' }).click();
			const task = page.getByRole('list', { name: 'Tasks' }).getByRole('listitem');
			await expect(task).toContainText('make a backup');
			expect((await task.boundingBox())!.height).toBeLessThan(80);
			await expect(task.getByRole('button')).toHaveCount(0);
			await task.locator('summary').click();
			await expect(task.getByRole('button')).toHaveText([/Run now/, /Disable/]);
			await expect(task.getByRole('link')).toHaveText([/Change/, /Remove…/]);
			for (const link of await task.getByRole('link').all())
				await expect(link).toBeInViewport({ ratio: 1 });
			await noSidewaysScroll(page);
			await task.getByRole('button', { name: /Disable/ }).click();
			await expect(task).toContainText('disabled');
		});
	});

test('a second restart in one night is remarked upon calmly, and leads to the one that is there', async ({
	page
}) => {
	await signIn(page);
	await page.goto('/admin/schedule?type=restart&preset=daily&time=05:00#new');
	await ready(page);
	await page.getByRole('button', { name: 'Schedule it' }).click();
	await expect(page.getByRole('list', { name: 'Tasks' })).toContainText('restart');
	const remark = page.getByText('There is already “Every night at 05:00, restart');
	await expect(remark).toHaveCount(0);
	await page.getByLabel('At', { exact: true }).fill('02:00');
	await expect(remark).toBeVisible();
	// Nearer than an hour, that is what is told.
	await page.getByLabel('At', { exact: true }).fill('04:30');
	await expect(page.getByText(/Also planned for .*05:00/)).toBeVisible();
	await expect(remark).toHaveCount(0);
	await page.getByLabel('At', { exact: true }).fill('02:00');
	await page.getByRole('link', { name: 'Change that one instead' }).click();
	await expect(page.getByRole('heading', { name: 'Change a task' })).toBeVisible();
	await expect(page.getByLabel('At', { exact: true })).toHaveValue('05:00');
	await page.goto('/admin/schedule?type=backup&preset=daily&time=02:00#new');
	await expect(page.getByText('There is already')).toHaveCount(0);
});

test('the button that schedules a task is in sight with its form, and hides no field, in low windows', async ({
	page
}) => {
	await signIn(page);
	for (const [width, height] of [
		[390, 500],
		[768, 600],
		[1280, 640]
	] as const) {
		await page.setViewportSize({ width, height });
		await page.goto('/admin/schedule?type=restart&preset=weekly&whenEmpty=wait#new');
		await ready(page);
		const press = page.getByRole('button', { name: 'Schedule it' });
		await expect(page.getByRole('heading', { name: 'New task' })).toBeInViewport();
		await expect(press).toBeInViewport({ ratio: 1 });
		const last = page.getByLabel('Wait for at most');
		await page.getByLabel('If somebody is playing').focus();
		await page.keyboard.press('Tab');
		await expect(last).toBeFocused();
		const [field, button] = await Promise.all([last, press].map((one) => one.boundingBox()));
		expect(field!.y + field!.height, `${width} × ${height}`).toBeLessThanOrEqual(button!.y);
		await noSidewaysScroll(page);
	}
});

test('the button that schedules a task covers nothing before its form is used', async ({
	page
}) => {
	await signIn(page);
	await page.setViewportSize({ width: 390, height: 560 });
	await page.goto('/admin/schedule');
	await ready(page);
	const press = page.getByRole('button', { name: 'Schedule it' });
	await expect(press).not.toBeInViewport();
	await page.getByLabel('At', { exact: true }).fill('05:00');
	await page.getByLabel('When').scrollIntoViewIfNeeded();
	await expect(press).toBeInViewport({ ratio: 1 });
});

test('tasks are in the order of their next runs, and the one that is disabled keeps the focus', async ({
	page
}) => {
	await signIn(page);
	await page.goto('/admin/schedule');
	await ready(page);
	const rows = page.getByRole('list', { name: 'Tasks' }).getByRole('listitem');
	const titles = rows.locator('b');
	const add = async (type: string, cron: string) => {
		await page.getByLabel('What').selectOption(type);
		await page.getByLabel('When').selectOption('cron');
		await page.getByLabel('Cron expression').fill(cron);
		const before = await titles.count();
		await page.getByRole('button', { name: 'Schedule it' }).click();
		await expect(titles).toHaveCount(before + 1);
	};
	await add('backup', '1 12 29 2 *');
	// Whatever the time is, in an hour at most, and some hours later.
	await add('mods-check', '30 * * * *');
	await add('restart', `0 ${(new Date().getHours() + 6) % 24} * * *`);
	await expect(titles).toHaveText([/look for mod updates/, /restart/, /make a backup/]);
	const restart = rows.filter({ hasText: 'restart' });
	await restart.getByRole('button', { name: /^Disable/ }).focus();
	await page.keyboard.press('Enter');
	await expect(titles).toHaveText([/look for mod updates/, /make a backup/, /restart/]);
	await expect(restart.getByRole('button', { name: /^Enable/ })).toBeFocused();
});

/** What a date field there takes; the machine's zone is the one of its tasks. */
const dayAhead = (days: number) => {
	const time = new Date(Date.now() + days * 86_400_000);
	const date = [time.getFullYear(), time.getMonth() + 1, time.getDate()];
	return date.map((number) => String(number).padStart(2, '0')).join('-');
};

for (const javaScriptEnabled of [true, false])
	test.describe(`a task that runs once, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, () => {
		test.use({ javaScriptEnabled, viewport: { width: 320, height: 640 } });
		test.slow();

		test('is planned, changed to another day, and refused for one that has passed', async ({
			page
		}) => {
			await signIn(page);
			await page.goto(
				`/admin/schedule?type=restart&preset=once&on=${dayAhead(2)}&time=23%3A00#new`
			);
			if (javaScriptEnabled) await ready(page);
			const on = page.getByLabel('On', { exact: true });
			await expect(on).toHaveValue(dayAhead(2));
			const upcoming = page.getByText(/It runs once: .* 23:00/);
			await expect(upcoming).toBeVisible();
			if (javaScriptEnabled) {
				await page.getByLabel('When').selectOption('daily');
				await expect(on).toBeHidden();
				await page.getByLabel('When').selectOption('once');
				await on.fill(dayAhead(-2));
				await expect(page.getByText('That time has passed.')).toBeVisible();
			}
			await expect(on).toHaveAttribute('min', dayAhead(0));
			await on.fill(dayAhead(-2));
			// As by a browser that does not look at the limits.
			await on.evaluate((field: HTMLInputElement) => (field.form!.noValidate = true));
			await page.getByRole('button', { name: 'Schedule it' }).click();
			const refused = 'That time has passed. Choose a later one.';
			await expect(page.locator('.field .error')).toHaveText(refused);
			await expect(page.getByLabel('At', { exact: true })).toHaveValue('23:00');
			await noSidewaysScroll(page);
			if (javaScriptEnabled) expect(await flaws(page)).toEqual([]);
			await on.fill(dayAhead(2));
			await page.getByRole('button', { name: 'Schedule it' }).click();
			const tasks = page.getByRole('list', { name: 'Tasks' });
			await expect(tasks).toContainText(/Once, on \w+ \d+ \w+ at 23:00, restart/);
			await expect(tasks).toContainText('next');
			await actionsOf(tasks);
			await tasks.getByRole('link', { name: /Change/ }).click();
			await expect(on).toHaveValue(dayAhead(2));
			await on.fill(dayAhead(3));
			await page.getByLabel('At', { exact: true }).fill('06:00');
			await page.getByRole('button', { name: 'Save' }).click();
			await expect(tasks).toContainText(/Once, on \w+ \d+ \w+ at 06:00, restart/);
			await noSidewaysScroll(page);
			await actionsOf(tasks);
			await tasks.getByRole('link', { name: /Change/ }).click();
			// The page that is left has such a field as well.
			await expect(page.getByRole('button', { name: 'Save' })).toBeVisible();
			await page.getByLabel('When').selectOption('daily');
			await page.getByRole('button', { name: 'Save' }).click();
			await expect(tasks).toContainText('Every day at 06:00, restart');
			// The next one begins with none.
			await actionsOf(tasks);
			await tasks.getByRole('link', { name: /Change/ }).click();
			await page.getByRole('link', { name: /Remove/ }).click();
			await page.getByRole('button', { name: 'Remove' }).click();
			await expect(page.getByText('Nothing is scheduled yet')).toBeVisible();
		});
	});

for (const javaScriptEnabled of [true, false])
	test.describe(`a new task, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, () => {
		test.use({ javaScriptEnabled, viewport: { width: 1280, height: 800 } });

		test('begins with a day that lies ahead, and is there only once however often it is sent', async ({
			page
		}) => {
			await signIn(page);
			await page.goto('/admin/schedule?type=backup&preset=once&day=tomorrow&time=23%3A00#new');
			if (javaScriptEnabled) await ready(page);
			const on = page.getByLabel('On', { exact: true });
			await expect(on).toHaveValue(dayAhead(1));
			await page.goto('/admin/schedule');
			if (javaScriptEnabled) await ready(page);
			const when = page.getByLabel('When');
			const at = page.getByLabel('At', { exact: true });
			await when.selectOption('once');
			expect([dayAhead(0), dayAhead(1)]).toContain(await on.inputValue());
			if (javaScriptEnabled) {
				await expect(page.getByText(/It runs once: .* 04:00/)).toBeVisible();
				await on.fill(dayAhead(-1));
			}
			await when.selectOption('daily');
			await at.fill('05:10');
			await page.getByRole('button', { name: 'Schedule it' }).click();
			const tasks = page.getByRole('list', { name: 'Tasks' }).getByRole('listitem');
			await expect(tasks).toHaveCount(1);
			await expect(at).toHaveValue('04:00');
			// After a backup a restart is what is suggested.
			await page.getByLabel('What').selectOption('backup');
			await at.fill('05:10');
			await page.getByRole('button', { name: 'Schedule it' }).click();
			await expect(page.getByText('This is scheduled already.')).toBeVisible();
			await expect(at).toHaveValue('05:10');
			await expect(tasks).toHaveCount(1);
		});
	});

for (const javaScriptEnabled of [true, false])
	test.describe(`a task for later, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, () => {
		test.use({ javaScriptEnabled, viewport: { width: 320, height: 800 } });

		test('gets its day and its time by one press, and waits until nobody plays by another', async ({
			page
		}) => {
			await signIn(page);
			await page.goto('/admin/schedule?type=restart&preset=once#new');
			if (javaScriptEnabled) await ready(page);
			const chips = page.getByRole('navigation', { name: 'Times to choose from' });
			const morning = chips.getByRole('link', { name: /04:00/ });
			const empty = chips.getByRole('link', { name: 'When nobody plays' });
			await page.getByLabel('On', { exact: true }).fill(dayAhead(9));
			if (javaScriptEnabled) await page.getByLabel('Warn players').fill('30');
			await morning.click();
			await expect(morning).toHaveAttribute('aria-current', 'true');
			await empty.click();
			await expect(empty).toHaveAttribute('aria-current', 'true');
			await expect(morning).toHaveAttribute('aria-current', 'true');
			expect([dayAhead(0), dayAhead(1)]).toContain(
				await page.getByLabel('On', { exact: true }).inputValue()
			);
			await expect(page.getByLabel('At', { exact: true })).toHaveValue('04:00');
			await expect(page.getByLabel('If somebody is playing')).toHaveValue('wait');
			if (javaScriptEnabled) await expect(page.getByLabel('Warn players')).toHaveValue('30');
			await noSidewaysScroll(page);
			await page.getByRole('button', { name: 'Schedule it' }).click();
			await expect(page.getByRole('list', { name: 'Tasks' })).toContainText(
				/Once, on .* at 04:00, restart as soon as nobody plays/
			);
		});
	});

for (const width of [320, 390, 1280])
	test.describe(`a reader in another time zone, at ${width} px`, () => {
		test.use({
			timezoneId: 'Asia/Kathmandu',
			serviceWorkers: 'block',
			viewport: { width, height: 800 }
		});

		test('sees the times of tasks by the own clock as well, and nothing moves for it', async ({
			page,
			dashboard,
			complaints
		}) => {
			await signIn(page);
			await page.goto('/admin/schedule');
			await ready(page);
			await page.getByRole('button', { name: 'Schedule it' }).click();
			const own = /\d\d:\d\d for you/;
			const task = page.getByRole('list', { name: 'Tasks' }).getByRole('listitem');
			await expect(task).toContainText(own);
			// On a phone the form is folded away after a task was made.
			await page.goto('/admin/schedule');
			await ready(page);
			await expect(page.locator('.upcoming')).toContainText(own);
			const heights = () =>
				Promise.all(
					[task, page.locator('.upcoming')].map(async (one) => (await one.boundingBox())!.height)
				);
			const after = await heights();
			await page.getByLabel('When').selectOption('once');
			const times = page.getByRole('navigation', { name: 'Times to choose from' });
			await expect(times.getByRole('link', { name: '04:00' })).toContainText(own);
			await noSidewaysScroll(page);
			// What the server has sent, before the script takes over.
			await page.route('**/*.js', (route) => route.abort());
			await page.goto(`${dashboard.url}/admin/schedule`);
			await expect(task).toContainText(own);
			expect(await heights()).toEqual(after);
			// On a first visit it does not know the reader's zone.
			await page.context().clearCookies({ name: 'craftwarden_time_zone' });
			await page.goto(`${dashboard.url}/admin/schedule`);
			await expect(task).not.toContainText(own);
			expect(await heights()).toEqual(after);
			await noSidewaysScroll(page);
			// Of the script that was kept away.
			complaints.length = 0;
		});
	});

test('a task that is in the crontab twice is shown twice, and says why nothing can be changed', async ({
	page,
	dashboard
}) => {
	await signIn(page);
	await page.goto('/admin/schedule');
	await ready(page);
	await page.getByRole('button', { name: 'Schedule it' }).click();
	const tasks = page.getByRole('list', { name: 'Tasks' });
	await expect(tasks.getByRole('listitem')).toHaveCount(1);
	const file = path.join(dashboard.dataDir, 'crontab');
	const line = await readFile(file);
	try {
		await appendFile(file, line);
		await page.reload();
		await ready(page);
		await expect(page.getByText('is in the crontab twice')).toBeVisible();
		await expect(tasks.getByRole('listitem')).toHaveCount(2);
	} finally {
		await writeFile(file, '');
	}
});

test('below a list of tasks on a phone a link leads to the form, whose button stands at its fields', async ({
	page
}) => {
	await signIn(page);
	await page.setViewportSize({ width: 390, height: 844 });
	await page.goto('/admin/schedule');
	await ready(page);
	const toForm = page.getByRole('link', { name: 'New task' });
	await expect(toForm).toHaveCount(0);
	await page.getByRole('button', { name: 'Schedule it' }).click();
	const task = page.getByRole('list', { name: 'Tasks' }).getByRole('listitem');
	await expect(task).toHaveCount(1);
	// “Run now” stands in the middle of its button, as the words beside it do.
	await task.locator('summary').click();
	const aside = await task.locator('details .plain').evaluate((one) => {
		const words = document.createRange();
		words.selectNodeContents(one);
		const [inner, outer] = [words, one.closest('button')!].map((it) => it.getBoundingClientRect());
		return inner!.left + inner!.right - outer!.left - outer!.right;
	});
	expect(Math.abs(aside)).toBeLessThanOrEqual(2);
	// It looks like the button of the triggers, which stands clear of its panel's edges.
	const trigger = page.getByRole('link', { name: 'New trigger' });
	for (const one of [toForm, trigger]) {
		const { y, height } = (await one.boundingBox())!;
		const head = (await one.locator('xpath=ancestor::header').boundingBox())!;
		expect(y - head.y).toBeGreaterThanOrEqual(8);
		expect(head.y + head.height - y - height).toBeGreaterThanOrEqual(8);
		expect(height).toBeGreaterThanOrEqual(44);
	}
	await toForm.click();
	await expect(page.getByRole('heading', { name: 'New task' })).toBeInViewport();
	await noSidewaysScroll(page);
	await page.setViewportSize({ width: 1920, height: 900 });
	await expect(toForm).toBeHidden();
	const button = (await page.getByRole('button', { name: 'Schedule it' }).boundingBox())!;
	const field = (await page.getByLabel('What').boundingBox())!;
	expect(button.x + button.width - field.x).toBeLessThanOrEqual(993);
});

test('a restart in an hour takes five presses on a phone, and a second one near it is told', async ({
	page
}) => {
	await page.setViewportSize({ width: 390, height: 844 });
	await signIn(page);
	await page.goto('/admin/schedule');
	await ready(page);
	await page.getByRole('button', { name: 'Schedule it' }).click();
	const tasks = page.getByRole('list', { name: 'Tasks' });
	await expect(tasks.getByRole('listitem')).toHaveCount(1);
	const also = /Also planned for .*: restart/;
	for (const again of [false, true]) {
		await page.goto('/admin');
		await ready(page);
		await page.getByText('More', { exact: true }).click();
		await page.getByRole('dialog').getByRole('link', { name: 'Schedule' }).click();
		await page.getByRole('link', { name: 'New task' }).click();
		await page.getByRole('link', { name: 'In 1 hour' }).click();
		await expect(page.getByLabel('When')).toHaveValue('once');
		await expect(page.getByRole('status').filter({ hasText: also })).toHaveCount(again ? 1 : 0);
		if (again) await page.getByLabel('What').selectOption('stop');
		await page.getByRole('button', { name: 'Schedule it' }).click();
		await expect(tasks).toContainText(again ? /Once, on .* stop/ : /Once, on .* restart/);
		// The next one is probably of the same kind.
		await expect(page.getByLabel('What')).toHaveValue(again ? 'stop' : 'restart');
		await expect(page.getByLabel('What')).toBeHidden();
		await expect(tasks.getByRole('listitem').filter({ hasText: 'new' })).toHaveText(
			again ? /Once, on .* stop/ : /Once, on .* restart/
		);
		await expect(page.getByRole('status').filter({ hasText: also })).toHaveCount(0);
		if (again) await expect(tasks).toContainText(also);
	}
	await noSidewaysScroll(page);
});

test('states and times of backups stand below each other, pinned or not, and “Complete” is explained', async ({
	page,
	dashboard
}) => {
	const { backup } = await furnish(dashboard, ['Before the flood', 'After it']);
	const visitor = await signedIn(dashboard);
	await visitor.json(`/api/backups/${backup}/verify`, {});
	const { status } = await visitor.json(`/api/backups/${backup}`, { pinned: true }, 'PATCH');
	expect(status).toBe(200);
	await page.setViewportSize({ width: 1440, height: 900 });
	await signIn(page);
	await page.goto('/admin/backups');
	await ready(page);
	const rows = page.getByRole('list', { name: 'Backups' }).getByRole('listitem');
	await expect(rows.getByText('Verified', { exact: true })).toHaveCount(1);
	await expect(rows.getByText('Complete', { exact: true })).toHaveCount(1);
	for (const what of ['.pill', 'time']) {
		const lefts = await rows.evaluateAll(
			(all, what) => all.map((row) => row.querySelector(what)!.getBoundingClientRect().left),
			what
		);
		expect(lefts[0], what).toBeCloseTo(lefts[1]!, 1);
	}
	await expect(page.getByText('Verified: also read back')).toBeVisible();
});

test('a snapshot is called by its note, with its time beside that where there is room', async ({
	page
}) => {
	await page.setViewportSize({ width: 1440, height: 900 });
	await signIn(page);
	await page.goto('/admin/backups?tab=snapshots');
	await ready(page);
	await page.getByLabel('Note (optional)').fill('Before the flood');
	await page.getByRole('button', { name: 'Take a snapshot' }).click();
	const row = page.getByRole('list', { name: 'Snapshots' }).getByRole('listitem');
	const name = row.getByRole('link', { name: 'Before the flood', exact: true });
	const title = (await name.boundingBox())!;
	const time = (await row.locator('time').first().boundingBox())!;
	expect(time.x).toBeGreaterThan(title.x + title.width);
	await name.click();
	await expect(
		page.getByRole('complementary').getByRole('heading', { name: 'Before the flood' })
	).toBeVisible();
});

test('Take a snapshot stands right at the field for its note, however wide the page is', async ({
	page
}) => {
	await signIn(page);
	await page.goto('/admin/backups?tab=snapshots');
	await ready(page);
	const press = page.getByRole('button', { name: 'Take a snapshot' });
	for (const width of [720, 768, 1280, 1920]) {
		await page.setViewportSize({ width, height: 800 });
		const field = (await page.getByLabel('Note (optional)').boundingBox())!;
		const button = (await press.boundingBox())!;
		expect(button.x - field.x - field.width).toBeLessThanOrEqual(16);
	}
});

test('while the server starts no backup is offered, and the page says until when', async ({
	page,
	dashboard
}) => {
	const slow = JSON.stringify({ bootMs: 8000 });
	await writeFile(path.join(dashboard.gameDir, 'demo-faults.json'), slow);
	await signIn(page);
	const visitor = await signedIn(dashboard);
	await page.goto('/admin/backups');
	await ready(page);
	await expect(page.getByRole('banner')).toContainText('Page in sync');
	await visitor.json('/api/server/start', {});
	const main = page.getByRole('main');
	const press = main.getByRole('button', { name: 'Back up now' });
	await expect(press).toBeDisabled();
	await expect(press).toHaveAccessibleDescription(/can be backed up when it has started/);
	await expect(main).not.toContainText('The server keeps running');
	await expect(press).toBeEnabled({ timeout: 30_000 });
	await expect(main).toContainText('The server keeps running');
});

test('without RCON no backup of a running server is offered, and each place says why', async ({
	page,
	dashboard
}) => {
	const file = path.join(dashboard.gameDir, 'server.properties');
	const properties = await readFile(file, 'utf8');
	await writeFile(file, properties.replace(/^enable-rcon=.*$/m, 'enable-rcon=false'));
	await startGame(dashboard);
	await signIn(page);
	const main = page.getByRole('main');
	const why = 'RCON is off, so saving cannot be paused';
	await page.goto('/admin/backups');
	await ready(page);
	const press = main.getByRole('button', { name: 'Back up now' });
	await expect(press).toBeDisabled();
	await expect(press).toHaveAccessibleDescription(new RegExp(why));
	await expect(main).not.toContainText('The server keeps running');
	await page.goto('/admin/schedule');
	await ready(page);
	await main.getByRole('button', { name: 'Schedule it' }).click();
	const task = main.getByRole('list', { name: 'Tasks' }).getByRole('listitem');
	const run = task.getByRole('button', { name: /^Run now/ });
	await expect(run).toBeDisabled();
	await expect(run).toHaveAccessibleDescription(new RegExp(why));
	await page.keyboard.press('Control+k');
	const palette = page.getByRole('dialog', { name: 'Command palette' });
	await palette.getByRole('combobox').fill('back up now');
	await expect(palette).toContainText(why);
});

test.describe('while nobody leaves by themselves', () => {
	test.use({ env: { DEMO_STAY: 'true' } });

	test('a restart that waits until nobody plays says that it waits, is not begun twice, and can be called off', async ({
		page,
		dashboard
	}) => {
		const visitor = await startGame(dashboard);
		const online = async () => (await visitor.json('/api/status')).body.players.online ?? 0;
		await expect.poll(online, { timeout: 30_000 }).toBeGreaterThan(0);
		await signIn(page);
		await page.goto('/admin/schedule?type=restart&preset=daily&time=04:00&whenEmpty=wait#new');
		await ready(page);
		await page.getByLabel('If somebody is playing').selectOption('wait');
		await page.getByRole('button', { name: 'Schedule it' }).click();
		const run = page.getByRole('button', { name: /^Run now/ });
		await run.click();
		const toasts = page.locator('[data-sonner-toast]');
		await expect(toasts.filter({ hasText: /It waits\. .+ online/ })).toBeVisible();
		await run.click();
		await expect(toasts.filter({ hasText: 'Skipped: It was started before' })).toBeVisible();
		await expect(toasts.filter({ hasText: /Done|failed/ })).toHaveCount(0);
		const waiting = page.getByRole('list', { name: 'Waiting now' });
		await expect(waiting).toContainText('it restarts once nobody is playing, within 60 minutes');
		for (const width of [320, 1280]) {
			await page.setViewportSize({ width, height: 800 });
			await noSidewaysScroll(page);
			expect(await flaws(page)).toEqual([]);
		}
		await waiting.getByRole('button', { name: /^Call off/ }).click();
		await expect(waiting).toHaveCount(0);
		await expect(page.getByRole('list', { name: 'Recent runs' })).toContainText(
			'Called off by ada.'
		);
		await page.goto('/admin');
		await expect(state(page)).toHaveText(/Running/);
	});
});
