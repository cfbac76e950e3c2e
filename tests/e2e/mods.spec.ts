import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { eventually, processesIn, signedIn, type Dashboard } from '../harness.ts';
import {
	atOnce,
	comesToRest,
	expect,
	noSidewaysScroll,
	ready,
	signIn,
	slowRegistry,
	state,
	test,
	withoutWorker
} from './fixtures.ts';
import { startGame } from './game.ts';
import { flaws, flawsInTheDark } from './walks/axe.ts';

/** How long an update with its verify, and a way back with another, may take on a busy machine. */
const OPERATION_MS = 60_000;
test.describe.configure({ timeout: 2 * OPERATION_MS });

/** Name and hash of every jar. */
async function jars({ gameDir }: Dashboard) {
	const dir = path.join(gameDir, 'mods');
	const names = (await readdir(dir)).filter((name) => /\.jar(\.disabled)?$/.test(name)).sort();
	const hash = async (name: string) =>
		createHash('sha256')
			.update(await readFile(path.join(dir, name)))
			.digest('hex');
	return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await hash(name)])));
}

async function update(page: Page, file: string) {
	await page.goto(`/admin/mods?mod=${encodeURIComponent(file)}`);
	await ready(page);
	await page.getByRole('link', { name: /^Update to/ }).click();
	await expect(page.getByRole('heading', { name: 'Updated' })).toBeVisible();
	await atOnce(page);
	await page.getByRole('button', { name: /^Update/ }).click();
	await expect(page).toHaveURL(/\/admin\/operations\//);
}
const ending = (page: Page) => page.locator('main .ending');

test('an update that boots fine is carried out exactly as it was shown', async ({
	page,
	dashboard
}) => {
	await startGame(dashboard);
	await signIn(page);
	await page.goto('/admin/mods');
	await ready(page);
	await expect(page.getByRole('link', { name: 'Update 5 mods' })).toBeVisible();
	const before = await jars(dashboard);
	await update(page, 'lantern-keeper-1.4.2.jar');
	await expect(ending(page)).toContainText('Done', { timeout: OPERATION_MS });
	await expect(page.getByRole('link', { name: 'Put the old mods back' })).toHaveAttribute(
		'href',
		/do=put-back/
	);
	const changed = page.getByRole('region', { name: 'What changed' }).getByRole('listitem');
	await expect(changed).toHaveText([
		/^Lantern Keeper\s+1\.4\.2 → 1\.5\.0\s*$/,
		/^Wick\s+0\.3\.1\s+added$/
	]);
	const after = await jars(dashboard);
	expect(Object.keys(after)).toEqual(
		[
			...Object.keys(before).filter((name) => name !== 'lantern-keeper-1.4.2.jar'),
			'lantern-keeper-1.5.0.jar',
			'wick-lib-0.3.1.jar'
		].sort()
	);
	await page.goto('/admin');
	await expect(state(page)).toHaveText(/Running/);
	await page.goto('/admin/mods?show=updates');
	await expect(page.getByRole('list', { name: 'Installed mods' })).not.toContainText('Lantern');
});

test('an update that does not start is detected on a copy, and the other four go in', async ({
	page,
	dashboard
}) => {
	test.setTimeout(10 * OPERATION_MS);
	await startGame(dashboard);
	await signIn(page);
	const before = await jars(dashboard);
	await page.goto('/admin/mods');
	await ready(page);
	await page.getByRole('link', { name: 'Update 5 mods' }).click();
	const title = page.getByRole('heading', { level: 1 });
	await expect(title).toHaveText(/^Update 5 mods/);
	await atOnce(page);
	await page.getByRole('button', { name: /^Update 5 mods/ }).click();
	await expect(ending(page)).toContainText('Nothing was changed, and nobody was disconnected', {
		timeout: 2 * OPERATION_MS
	});
	// It names one: nobody has to read that one is being looked for.
	await expect(ending(page)).not.toContainText('is being searched');
	await expect(page.getByRole('link', { name: 'See what is tried' })).toBeVisible();
	// Nobody knows yet which of them it is: the plan blames none of them.
	const failed = page.url();
	await page.goto('/admin/mods/plan?do=update&all=1');
	const together = page.getByText(/were tried together/);
	await expect(together).toHaveCount(1);
	await expect(together).toContainText('Which one is to blame is being looked for.');
	await expect(page.getByText(/did not start here on/)).toHaveCount(0);
	expect(await jars(dashboard)).toEqual(before);
	await page.goto(failed);
	await noSidewaysScroll(page);
	await expect(ending(page)).toContainText('Quiet Villagers 3.0.0 does not start here.', {
		timeout: 5 * OPERATION_MS
	});
	await expect(page.getByRole('link', { name: 'Update the other 4' })).toBeVisible();
	await page.getByRole('link', { name: 'How it was found out' }).click();
	await expect(page.getByRole('heading', { level: 1 })).toContainText('Find the mod to blame');
	await expect(page.getByText('The mods as they are, for comparison')).toBeVisible();
	// Both belong to the mods, whichever of them was looked at before.
	const lit = page.locator('.rail [aria-current]');
	await expect(lit).toHaveText('Mods');
	await page.goBack();
	await expect(page.getByRole('link', { name: 'How it was found out' })).toBeVisible();
	await expect(lit).toHaveText('Mods');
	await page.getByRole('link', { name: 'Update the other 4' }).click();
	await expect(title).toHaveText(/^Update 4 mods/);
	await atOnce(page);
	await page.getByRole('button', { name: /^Update 4 mods/ }).click();
	await expect(ending(page)).toContainText('Done', { timeout: 2 * OPERATION_MS });
	expect(Object.keys(await jars(dashboard))).toEqual(
		expect.arrayContaining(['quiet-villagers-2.0.1.jar', 'waymarks-1.0.0+1.21.1.jar'])
	);
});

const BAD: { what: string; slug: string; why: RegExp; env: Record<string, string> }[] = [
	{
		what: 'does not start',
		slug: 'whispering-wells',
		why: /Whispering Wells 1\.0\.0 did not start/,
		env: {}
	},
	{
		what: 'dies after its ready line',
		slug: 'ruin-keeper',
		why: /Ruin Keeper 1\.0\.0 did not stay up/,
		env: {}
	},
	{
		what: 'hangs in boot and ignores stop',
		slug: 'endless-stair',
		why: /Endless Stair 1\.0\.0 did not start/,
		env: { VERIFY_TIMEOUT_SECONDS: '8' }
	}
];
for (const { what, slug, why, env } of BAD)
	test.describe(() => {
		test.use({ env });
		test(`a mod that ${what} is rolled back, byte for byte`, async ({ page, dashboard }) => {
			await startGame(dashboard);
			await signIn(page);
			const before = await jars(dashboard);
			await page.goto(`/admin/mods/projects/${slug}`);
			await ready(page);
			await page
				.getByRole('link', { name: /^Install/ })
				.first()
				.click();
			await page.getByText('Skip the trial').click();
			await atOnce(page);
			await page.getByRole('button', { name: /^Install/ }).click();
			await expect(ending(page)).toContainText('Rolled back', { timeout: OPERATION_MS });
			await expect(ending(page)).toContainText(why);
			expect(await jars(dashboard)).toEqual(before);
			await page.goto('/admin');
			await expect(state(page)).toHaveText(/Running/);
		});
	});

test('a backup of the world is suggested for what going back does not undo, and offered after it', async ({
	page,
	dashboard
}) => {
	await startGame(dashboard);
	await signIn(page);
	await page.goto('/admin/mods/plan?do=install&project=WWJaijYZ');
	await ready(page);
	await expect(page.getByText('Ruin Keeper may add blocks, items and creatures')).toBeVisible();
	const first = page.getByRole('switch', { name: 'Back up the world first' });
	const step = page.getByRole('listitem').filter({ hasText: 'The world is backed up.' });
	await expect(first).toBeChecked();
	await expect(step).toBeVisible();
	await first.uncheck();
	await expect(step).toHaveCount(0);
	await first.check();
	await page.getByText('Skip the trial').click();
	await atOnce(page);
	await page.getByRole('button', { name: /^Install/ }).click();
	await expect(ending(page)).toContainText('Rolled back', { timeout: OPERATION_MS });
	await expect(ending(page)).toContainText('unless the backup made just before is restored');
	// The server runs again: what is played by now would be lost.
	await expect(page.getByRole('link', { name: 'Restore the world…' })).toHaveClass(/secondary/);
	await page.goto('/admin');
	const attention = page.getByRole('region', { name: 'Needs attention' });
	await expect(attention).toContainText('had opened the world by then');
	await attention.getByRole('link', { name: 'Restore the world…' }).click();
	await expect(page).toHaveURL(/\/admin\/backups\/restore\?backup=/);
	await expect(page.getByRole('heading', { level: 1 })).toHaveText('Restore this backup?');
});

const LITHIUM = '/admin/mods/plan?do=update&file=lithium-fabric-0.13.0%2Bmc1.21.1.jar';

test('a world without a good backup is backed up first, until there is one', async ({
	page,
	dashboard
}) => {
	await signIn(page);
	await page.goto(LITHIUM);
	await ready(page);
	const first = page.getByRole('switch', { name: 'Back up the world first' });
	const none = page.getByText('There is no good backup of the world yet.');
	await expect(none).toBeVisible();
	const restorable = page.getByText('With this backup the world can be restored as it is now.');
	await expect(restorable).toBeVisible();
	await expect(first).toBeChecked();
	const visitor = await signedIn(dashboard);
	await visitor.json('/api/backups', {});
	await eventually(
		async () => (await visitor.json('/api/backups')).body.backups[0]?.state,
		(state) => state === 'complete',
		OPERATION_MS
	);
	await page.reload();
	await expect(first).not.toBeChecked();
	await expect(none).toHaveCount(0);
	await expect(restorable).toBeVisible();
});

test('players are told before a change restarts their server, and it can be called off', async ({
	page,
	dashboard
}) => {
	await startGame(dashboard);
	await signIn(page);
	const before = await jars(dashboard);
	await page.goto('/admin/mods/plan?do=install&project=WWJaijYZ');
	await ready(page);
	await atOnce(page);
	const message = page.getByRole('textbox', { name: 'Message to the players' });
	await expect(message).toBeHidden();
	await page.getByLabel('When').selectOption('In 5 minutes');
	await expect(page.getByRole('button', { name: /^Install .* · in 5 min$/ })).toBeVisible();
	await page.locator('summary', { hasText: 'Message to the players' }).click();
	await message.fill('Ruins are coming');
	await expect(
		page.getByRole('listitem').filter({ hasText: 'the server restarts in 5 minutes' })
	).toBeVisible();
	await noSidewaysScroll(page);
	await page.getByText('Skip the trial').click();
	await page.getByRole('button', { name: /^Install/ }).click();
	const timeline = page.getByRole('region', { name: 'What happens' });
	await expect(timeline).toContainText('Announced in game.', { timeout: OPERATION_MS });
	const operation = page.url();

	await page.goto('/admin');
	await ready(page);
	const card = page.getByRole('region', { name: 'Server status' });
	for (const name of ['Restart', 'Stop'])
		await expect(card.getByRole('button', { name, exact: true })).toBeDisabled();
	await expect(card.getByRole('button', { name: 'Kill', exact: true })).toBeEnabled();
	const begun = page.getByRole('region', { name: 'In progress' });
	await expect(begun).toContainText(/Restarts in \d/);
	await expect(begun.getByRole('link', { name: /^Install/ })).toHaveAttribute(
		'href',
		new URL(operation).pathname
	);
	await page.goto('/admin/confirm?do=stop');
	await expect(page.getByRole('main')).toContainText('Cannot stop: the server is about to restart');
	await page.goto('/admin/mods');
	await expect(page.getByText(/^Restarts in \d.*: Install/)).toBeVisible();
	// They are not forgotten meanwhile.
	await expect(page.getByText('5 updates wait until it has ended.')).toBeVisible();
	await expect(page.getByRole('link', { name: /^Update/ })).toHaveCount(0);
	// As it comes without a script.
	const plain = await (await page.request.get('/admin/mods')).text();
	expect(plain).toMatch(/Restarts at \d.*: Install/);
	expect(plain).not.toMatch(/Update \d+ mods/);
	expect(await (await page.request.get('/admin')).text()).not.toMatch(/updates? (is|are) waiting/);
	// The details of one say why nothing of it can be done.
	await page.goto('/admin/mods?mod=lithium-fabric-0.13.0%2Bmc1.21.1.jar');
	await ready(page);
	const detail = page.getByRole('complementary', { name: 'Mod' });
	for (const name of [/^Update to/, 'Disable', 'Remove'])
		await expect(detail.getByRole('button', { name })).toHaveAttribute('aria-disabled', 'true');
	await expect(detail.getByRole('status')).toContainText(/Not possible now\. Restarts in \d/);

	await page.goto(operation);
	await page.getByRole('button', { name: 'Cancel' }).click();
	await expect(ending(page)).toContainText('Cancelled before anything was changed.');
	expect(await jars(dashboard)).toEqual(before);
	await page.goto('/admin');
	await expect(state(page)).toHaveText(/Running/);
});

test.describe('without JavaScript', () => {
	test.use({ javaScriptEnabled: false });
	test('a world without a good backup is backed up first', async ({ page }) => {
		await signIn(page);
		await page.goto(LITHIUM);
		await expect(page.getByText('There is no good backup of the world yet.')).toBeVisible();
		await expect(page.getByRole('switch', { name: 'Back up the world first' })).toBeChecked();
	});
	test('the steps of a plan are true whether the world is backed up or not', async ({ page }) => {
		await signIn(page);
		await page.goto('/admin/mods/plan?do=install&project=WWJaijYZ');
		await expect(page.getByRole('main')).toContainText(
			'The world is backed up, if that is switched on here.'
		);
		await expect(page.getByRole('main')).toContainText('unless a backup from before is restored.');
	});
});

test('two damaged files are taken out one after the other: the first change stays, though the second still keeps the server down', async ({
	page,
	dashboard
}) => {
	const damaged = ['create-fabric-0.5.1.jar', 'botany-1.0.0.jar'];
	for (const name of damaged)
		await writeFile(path.join(dashboard.gameDir, 'mods', name), Buffer.from('no jar at all'));
	await signIn(page);
	await ready(page);
	await expect(page.getByRole('heading', { name: /mods are damaged/ })).toBeVisible();
	const start = page.getByRole('button', { name: 'Start', exact: true });
	await start.click();
	await page.getByRole('dialog').getByRole('button', { name: 'Start', exact: true }).click();
	await expect(state(page)).toHaveText(/Crashed/);

	await page.goto(`/admin/mods?mod=${damaged[0]}`);
	await ready(page);
	await expect(page.getByRole('button', { name: 'Put it into the players’ pack' })).toHaveCount(0);
	await page.getByRole('link', { name: 'Remove' }).click();
	const main = page.getByRole('main');
	await expect(main).toContainText(
		/watched for at least [\d.]+ m?s once it is ready\. If it comes up, it is left running/
	);
	await expect(main).toContainText('If it does not come up healthy because of this');
	await expect(main).not.toContainText('may lose');
	await page.getByRole('button', { name: /^Remove/ }).click();
	await expect(ending(page)).toContainText(
		'Removed create-fabric-0.5.1. The server still does not start, for the same reason as before.',
		{ timeout: OPERATION_MS }
	);
	await expect(ending(page)).toContainText('botany-1.0.0.jar is damaged or is not a mod.');
	await expect(ending(page).getByRole('button', { name: 'Start again' })).toBeVisible();
	await expect(ending(page).getByRole('link', { name: 'Put the old mods back' })).toBeVisible();
	expect(await flaws(page)).toEqual([]);

	for (const width of [320, 1280]) {
		await page.setViewportSize({ width, height: 700 });
		await page.goto(`/admin/mods/plan?do=remove&file=${damaged[1]}`);
		await ready(page);
		const only = page.getByRole('switch', { name: 'Only change the files' });
		await expect(only).not.toBeChecked();
		await only.check();
		await expect(main).toContainText('the server stays as it is');
		await noSidewaysScroll(page);
		expect(await flaws(page)).toEqual([]);
		expect(await flawsInTheDark(page)).toEqual([]);
	}
	await page.getByRole('button', { name: /^Remove/ }).click();
	await expect(ending(page)).toContainText('Done: removed botany-1.0.0.', {
		timeout: OPERATION_MS
	});
	await expect(ending(page)).toContainText('The next start will show whether it comes up.');
	expect(Object.keys(await jars(dashboard)).filter((name) => damaged.includes(name))).toEqual([]);
	await page.goto('/admin');
	await ready(page);
	await expect(state(page)).toHaveText(/Crashed/);
	await page.getByRole('button', { name: 'Start', exact: true }).click();
	await expect(state(page)).toHaveText(/Running/);
});

test('what is typed while a search is on its way is kept, and looked for next', async ({
	page
}) => {
	await withoutWorker(page);
	await signIn(page);
	await page.goto('/admin/mods?tab=find');
	await ready(page);
	let release = () => {};
	const held = new Promise<void>((resolve) => (release = resolve));
	await page.route(/q=lantern&/, async (route) => {
		await held;
		await route.continue();
	});
	const field = page.getByRole('searchbox', { name: 'Search the registry' });
	const sent = page.waitForRequest(/q=lantern&/);
	await field.fill('lantern');
	await sent;
	await field.fill('lith');
	release();
	await expect(page).toHaveURL(/q=lith&/);
	await expect(field).toHaveValue('lith');
	await page.goBack();
	await page.goForward();
	await expect(field).toHaveValue('lith');
});

test('a mod is found, installed with what it needs, disabled and removed', async ({
	page,
	dashboard
}) => {
	await signIn(page);
	await page.goto('/admin/mods?tab=find');
	await ready(page);
	await page.getByRole('searchbox', { name: 'Search the registry' }).fill('lantern');
	await expect(page.getByRole('list', { name: 'Found mods' })).toContainText('Installed');
	await page.getByRole('searchbox', { name: 'Search the registry' }).fill('');
	const [install] = [page.getByRole('link', { name: /^Install / }).first()];
	const before = Object.keys(await jars(dashboard));
	await install.click();
	await page.getByRole('button', { name: /^Install/ }).click();
	await expect(ending(page)).toContainText('Done', { timeout: OPERATION_MS });
	const added = Object.keys(await jars(dashboard)).filter((name) => !before.includes(name));
	expect(added.length).toBeGreaterThan(0);

	// A mod that others need is removed together with them, and all are named first.
	await page.goto('/admin/mods?mod=fabric-api-0.104.0%2B1.21.1.jar');
	await ready(page);
	await page.getByRole('link', { name: 'Remove' }).click();
	await expect(page.getByRole('list', { name: 'Would not work any more' })).toContainText(
		'Waymarks'
	);
	await expect(page.getByRole('button', { name: /^Remove/ })).toHaveCount(0);
	const too = page.getByRole('link', { name: /^Remove these \d too$/ });
	await expect(too).toHaveClass(/primary/);
	await too.click();
	await expect(page.getByRole('list', { name: 'Removed' })).toContainText(
		/Fabric API.*Lantern Keeper.*Waymarks/s
	);
	await expect(page.getByRole('button', { name: /^Remove \d mods/ })).toBeEnabled();

	// The same where it is only disabled, and one of those that need it has been chosen already.
	for (const chosen of [1, 2]) {
		const files = ['fabric-api-0.104.0%2B1.21.1.jar', 'waymarks-0.9.0%2B1.21.1.jar'];
		await page.goto(`/admin/mods/plan?do=disable&file=${files.slice(0, chosen).join('&file=')}`);
		await expect(page.getByRole('alert').filter({ hasText: 'you want to disable' })).toHaveCount(1);
		await expect(page.getByRole('button', { name: /^Disable/ })).toHaveCount(0);
		await page.getByRole('link', { name: /^Disable (these \d|this one) too$/ }).click();
		await expect(page.getByRole('list', { name: 'Disabled' })).toContainText('Lantern Keeper');
		await expect(page.getByRole('button', { name: 'Disable 4 mods' })).toBeEnabled();
	}

	await page.goto('/admin/mods?mod=waymarks-0.9.0%2B1.21.1.jar');
	await ready(page);
	await page.getByRole('link', { name: 'Disable' }).click();
	await page.getByRole('button', { name: /^Disable/ }).click();
	await expect(ending(page)).toContainText('Done', { timeout: OPERATION_MS });
	expect(Object.keys(await jars(dashboard))).toContain('waymarks-0.9.0+1.21.1.jar.disabled');

	await page.goto('/admin/mods?mod=waymarks-0.9.0%2B1.21.1.jar.disabled');
	await ready(page);
	await page.getByRole('link', { name: 'Remove' }).click();
	await page.getByRole('button', { name: /^Remove/ }).click();
	await expect(ending(page)).toContainText('Done', { timeout: OPERATION_MS });
	expect(Object.keys(await jars(dashboard)).join()).not.toContain('waymarks');
	// What was there before is in a snapshot.
	await page.goto('/admin/backups?tab=snapshots');
	await expect(page.getByRole('list', { name: 'Snapshots' })).toContainText(
		'Before removing Waymarks'
	);
});

for (const javaScriptEnabled of [true, false])
	test.describe(`after a change, ${javaScriptEnabled ? 'live' : 'without JavaScript'}`, () => {
		test.use({ javaScriptEnabled });

		test('the way back leads to the list, not to the plan or the question that was sent', async ({
			page
		}) => {
			await signIn(page);
			await page.goto('/admin/mods?order=name');
			if (javaScriptEnabled) await ready(page);
			const back = page.getByRole('main').getByRole('link', { name: /^(Mods|Backups)$/ });
			const filter = javaScriptEnabled ? /\/admin\/mods\?order=name/ : /\/admin\/mods$/;
			await page.getByRole('link', { name: 'Waymarks', exact: true }).click();
			await page.getByRole('link', { name: 'Disable', exact: true }).click();
			await page.getByRole('button', { name: /^Disable/ }).click();
			await expect(ending(page)).toContainText('Done', { timeout: OPERATION_MS });
			await expect(back).toHaveAttribute('href', filter);
			await page.reload();
			await expect(back).toHaveAttribute('href', /\/admin\/mods(\?(?!.*file=)|$)/);
			await ending(page).getByRole('link', { name: 'Put the old mods back' }).click();
			if (javaScriptEnabled) await ready(page);
			await page.getByRole('button', { name: 'Put them back' }).click();
			await expect(ending(page)).toContainText('Done', { timeout: OPERATION_MS });
			await expect(back).toHaveAttribute('href', /\/admin\/(mods|backups)$/);
			await back.click();
			await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^(Mods|Backups)/);
		});
	});

test('several mods are found one after the other, and installed by one plan', async ({
	page,
	dashboard
}) => {
	await signIn(page);
	await page.goto('/admin/mods?tab=find&q=hearth+and');
	await ready(page);
	const bar = page.getByRole('group', { name: 'Selected mods' });
	const box = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` });
	const search = page.getByRole('searchbox', { name: 'Search the registry' });
	await expect(bar).toBeHidden();
	await box('Hearth & Home').check();
	await search.fill('town crier');
	await expect(box('Hearth & Home')).toHaveCount(0);
	await box('Town Crier').check();
	await search.fill('lantern');
	// What is installed cannot be selected.
	await expect(page.getByRole('list', { name: 'Found mods' })).toContainText('Installed');
	await expect(box('Lantern Keeper')).toHaveCount(0);
	await search.fill('letterbox');
	await box('Letterbox').check();
	await expect(bar).toContainText('3 selected: Hearth & Home, Town Crier and Letterbox');

	// What is selected is read, let go of, and there again after a look at a mod's own page, or at the plan.
	await bar.getByText('3 selected:').click();
	await bar.getByRole('button', { name: 'Deselect Letterbox' }).click();
	await expect(bar.getByRole('list', { name: 'Selected' }).getByRole('listitem')).toHaveText([
		'Hearth & Home',
		'Town Crier'
	]);
	await page.getByRole('link', { name: 'Letterbox', exact: true }).click();
	await expect(page.getByRole('heading', { level: 1 })).toHaveText('Letterbox');
	await page.goBack();
	await expect(bar.getByRole('status')).toHaveText('2 selected');
	await bar.getByRole('button', { name: 'Install 2 mods' }).click();
	await page.getByRole('link', { name: 'Cancel' }).click();
	await expect(page).toHaveURL(/tab=find/);
	await expect(bar.getByRole('status')).toHaveText('2 selected');
	for (const width of [320, 1280]) {
		await page.setViewportSize({ width, height: 700 });
		await expect(bar.getByRole('button', { name: 'Install 2 mods' })).toBeInViewport({ ratio: 1 });
		await noSidewaysScroll(page);
		expect(await flaws(page)).toEqual([]);
		expect(await flawsInTheDark(page)).toEqual([]);
	}

	const before = Object.keys(await jars(dashboard));
	await bar.getByRole('button', { name: 'Install 2 mods' }).click();
	const title = 'Install 2 mods and 1 dependency';
	await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
	await page.getByRole('button', { name: title }).click();
	await expect(page).toHaveURL(/\/admin\/operations\//);
	await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
	await expect(ending(page)).toContainText('Done', { timeout: OPERATION_MS });
	const added = Object.keys(await jars(dashboard)).filter((name) => !before.includes(name));
	expect(added).toHaveLength(3);
});

test('on the smallest phone the button of a plan with a countdown is one line', async ({
	page,
	dashboard
}) => {
	await startGame(dashboard);
	await page.setViewportSize({ width: 320, height: 700 });
	await signIn(page);
	await page.goto('/admin/mods/plan?do=update&all=1');
	await ready(page);
	await page.getByLabel('When').selectOption('In 5 minutes');
	const bar = page.getByRole('group', { name: 'Decide' });
	await expect(bar).toContainText('tried on a copy first, in 5 min');
	const run = bar.getByRole('button', { name: 'Update 5, add 1', exact: true });
	expect((await run.boundingBox())!.height).toBeLessThan(45);
});

test('on a phone the end of a long list leads to the top', async ({ page, dashboard }) => {
	for (let nth = 0; nth < 20; nth++)
		await writeFile(path.join(dashboard.gameDir, 'mods', `botany-${nth}.jar`), 'no jar');
	await page.setViewportSize({ width: 390, height: 700 });
	await signIn(page);
	await page.goto('/admin/mods');
	await ready(page);
	await page.getByRole('link', { name: 'To the top' }).click();
	await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
	await expect(page.getByRole('link', { name: 'Find', exact: true })).toBeInViewport();
	expect(await flaws(page)).toEqual([]);
});

test('on a phone a mod has its picture, no button above the list is two lines, and Back leaves the details', async ({
	page
}) => {
	await page.setViewportSize({ width: 390, height: 844 });
	await signIn(page);
	await page.goto('/admin/mods');
	await ready(page);
	const first = page.getByRole('list', { name: 'Installed mods' }).getByRole('listitem').first();
	await expect(first.locator('img')).toBeVisible();
	for (const name of ['Update 5 mods', 'Select these 5'])
		expect((await page.getByRole('link', { name, exact: true }).boundingBox())!.height).toBe(44);
	await first.getByRole('link', { name: 'Fabric API', exact: true }).click();
	await expect(page).toHaveURL(/mod=fabric-api/);
	await expect(page.getByRole('link', { name: 'Close' })).toBeHidden();
	await page.getByRole('main').getByRole('link', { name: 'Back', exact: true }).click();
	await expect(first).toBeVisible();
});

test.describe('with a registry that takes its time', () => {
	test.use(slowRegistry(/\/projects\?/, 100));

	test('the mods have their pictures once it has answered, and nothing says that it has not', async ({
		page
	}) => {
		await signIn(page);
		await page.goto('/admin/mods', { waitUntil: 'commit' });
		const late = page.getByText('The registry has not answered yet.');
		await expect(late).toBeVisible();
		await ready(page);
		const first = page.getByRole('list', { name: 'Installed mods' }).getByRole('listitem').first();
		await expect(first.locator('img')).toBeVisible({ timeout: 30_000 });
		await expect(late).toHaveCount(0);
	});
});

test.describe('with a registry that cannot be reached', () => {
	test.use({ env: { MODRINTH_URL: 'http://127.0.0.1:9' } });

	test('the search for mods says so once, and can be made again', async ({ page }) => {
		await signIn(page);
		await page.goto('/admin/mods?tab=find&q=lithium');
		await ready(page);
		const told = page.getByText(/127\.0\.0\.1:9 cannot be reached/);
		await expect(told).toHaveCount(1);
		const again = page.waitForRequest(
			(request) => request.isNavigationRequest() && /q=lithium/.test(request.url())
		);
		await page.getByRole('link', { name: 'Try again' }).click();
		await again;
		await expect(told).toHaveCount(1);
	});

	test('the list stays where it is while the dashboard does not answer', async ({
		page,
		dashboard
	}) => {
		await signIn(page);
		await page.goto('/admin/mods');
		await ready(page);
		await expect(page.getByText(/127\.0\.0\.1:9 cannot be reached/).first()).toBeVisible();
		await dashboard.kill('SIGKILL');
		// Twice as long as until they are asked for again.
		await page.waitForTimeout(11_000);
		await expect(page).toHaveURL(/\/admin\/mods$/);
		await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mods');
		await expect(page.getByRole('list', { name: 'Installed mods' })).toContainText('Lithium');
	});

	test('a page opens even if it takes longer than until the mods are asked for again', async ({
		page
	}) => {
		await withoutWorker(page);
		await signIn(page);
		await page.goto('/admin/mods');
		await ready(page);
		await expect(page.getByText(/127\.0\.0\.1:9 cannot be reached/).first()).toBeVisible();
		let asked = 0;
		await page.route('**/admin/mods/__data.json*', (route) => (asked++, route.continue()));
		await page.route('**/admin/backups/__data.json*', async (route) => {
			await page.waitForTimeout(7000);
			await route.continue();
		});
		await page.waitForRequest('**/admin/mods/__data.json*');
		await page.getByRole('link', { name: 'Backups' }).first().click();
		await expect(page.getByRole('heading', { name: 'Backups', level: 1 })).toBeVisible({
			timeout: 20_000
		});
		expect(asked).toBe(1);
	});
});

test('one press leads from all updates, or from one, to a plan with the same count', async ({
	page
}) => {
	await signIn(page);
	await page.goto('/admin/mods');
	await ready(page);
	const rows = page.getByRole('list', { name: 'Installed mods' }).getByRole('listitem');
	await expect(rows.first().getByRole('link', { name: /^Update / })).toBeVisible();
	await page.getByRole('link', { name: 'Update 5 mods' }).click();
	const title = 'Update 5 mods and add 1 dependency';
	await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
	// What changes is read before how, and both beside the button.
	await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText([
		...['Added', 'Updated', 'What happens']
	]);
	await expect(
		page.getByRole('list', { name: 'Updated' }).getByRole('listitem').first()
	).toBeInViewport({ ratio: 1 });
	await expect(page.getByRole('button', { name: title })).toBeEnabled();
	// What changed is read of one, or of all with one press.
	const opened = page.getByRole('list', { name: 'Updated' }).locator('details[open]');
	await expect(opened).toHaveCount(0);
	await page.getByRole('button', { name: 'Open all changes' }).click();
	await expect(opened).toHaveCount(5);
	expect(await flaws(page)).toEqual([]);
	await page.getByRole('button', { name: 'Close all' }).click();
	await expect(opened).toHaveCount(0);
	await page.goto('/admin/mods');
	await ready(page);
	await rows
		.first()
		.getByRole('link', { name: /^Update / })
		.click();
	await expect(page.getByRole('heading', { level: 1 })).toContainText('Update Fabric API');
});

test('of a server that does not answer the mods say so, and no update is the loudest', async ({
	page,
	dashboard
}) => {
	const visitor = await startGame(dashboard);
	for (const pid of await processesIn(dashboard.gameDir)) process.kill(pid, 'SIGSTOP');
	await eventually(
		async () => (await visitor.json('/api/status')).body.state,
		(state) => state === 'unknown',
		OPERATION_MS
	);
	await signIn(page);
	await page.goto('/admin/mods');
	await ready(page);
	const told = page
		.getByRole('main')
		.getByRole('status')
		.filter({ hasText: 'The server does not answer' });
	await expect(told).toContainText('It has to stop for an update, and may not do so by itself.');
	await expect(told.getByRole('link', { name: 'The overview says what helps' })).toBeVisible();
	const update = page.getByRole('link', { name: 'Update 5 mods' });
	await expect(update).not.toHaveClass(/primary/);
	await update.click();
	await expect(page.getByRole('main').getByRole('status').first()).toContainText(
		'It has to stop for this change, and may not do so by itself.'
	);
});

test('players are told before an upgrade takes their server away, and it can be called off', async ({
	page,
	dashboard
}) => {
	await startGame(dashboard);
	await signIn(page);
	const before = await jars(dashboard);
	const plan = page.getByRole('button', { name: 'Plan the upgrade to 1.21.8' });
	await expect(async () => {
		await page.goto('/admin/server/upgrade');
		await ready(page);
		await expect(plan).toBeVisible({ timeout: 3000 });
	}).toPass();
	await plan.click();
	await expect(page.getByText(/^Stops the server/)).toBeVisible();
	await page.getByLabel('When').selectOption('In 5 minutes');
	await page.getByText('Skip the trial').click();
	// What is to be ticked first stands beside the button, and has the focus when that is pressed without it.
	const decide = page.getByRole('group', { name: 'Decide' });
	const read = decide.getByRole('checkbox', { name: 'I have read what happens to the world' });
	await decide.getByRole('button', { name: /^Upgrade to/ }).click();
	await expect(read).toBeFocused();
	await expect(read).not.toHaveCSS('outline-style', 'none');
	await expect(page).toHaveURL(/\/admin\/server\/upgrade/);
	await read.check();
	await noSidewaysScroll(page);
	expect(await flaws(page)).toEqual([]);
	await page.getByRole('button', { name: 'Upgrade to 1.21.8' }).click();
	const timeline = page.getByRole('region', { name: 'What happens' });
	await expect(timeline).toContainText(
		'“The server restarts in 5 minutes. The game is being upgraded.”',
		{ timeout: OPERATION_MS }
	);
	await page.getByRole('button', { name: 'Cancel' }).click();
	await expect(ending(page)).toContainText('Cancelled before anything was changed.');
	await expect(timeline).toContainText('“The restart was called off.”');
	expect(await jars(dashboard)).toEqual(before);
	await page.goto('/admin');
	await expect(state(page)).toHaveText(/Running/);
});

test('beside the list an update is one line, and a mod leads to what it is', async ({ page }) => {
	await page.setViewportSize({ width: 1440, height: 900 });
	await signIn(page);
	await page.goto('/admin/mods?mod=lithium-fabric-0.13.0%2Bmc1.21.1.jar');
	await ready(page);
	const update = page.getByRole('link', { name: 'Update to 0.14.0' });
	expect((await update.boundingBox())!.height).toBeLessThan(40);
	await expect(page.getByText('Once locked, it is left out of updates')).toBeVisible();
	// Where there is room for it, a row beside the details says all that it says alone.
	const badge = page
		.getByRole('list', { name: 'Installed mods' })
		.getByText('Only for the server', { exact: true })
		.first();
	// The registry, which tells it, may answer late.
	await expect(async () => {
		await page.reload();
		await expect(badge).toBeAttached({ timeout: 1000 });
	}).toPass();
	await expect(badge).toBeVisible();
	await page.setViewportSize({ width: 1920, height: 1080 });
	await expect(badge).toBeVisible();
	// Where there is none, the details say it.
	await page.setViewportSize({ width: 1180, height: 900 });
	await expect(badge).toBeHidden();
	await page.getByRole('link', { name: 'Lantern Keeper', exact: true }).click();
	const details = page.getByRole('complementary', { name: 'Mod' });
	await expect(details).toContainText('Runs on The server');
	await expect(details.getByText('Only for the server', { exact: true })).toBeVisible();
	const name = page.getByRole('link', { name: 'Lithium', exact: true });
	expect((await name.boundingBox())!.height).toBeGreaterThanOrEqual(24);
	await name.click();
	// Until the page has come, the link leads to the mod before it.
	await expect(details.getByRole('heading', { name: 'Lithium' })).toBeVisible();
	await page.getByRole('link', { name: 'About this mod' }).click();
	await expect(page).toHaveURL(/\/admin\/mods\/projects\//);
	await expect(page.getByRole('heading', { level: 1 })).toHaveText('Lithium');
});

test('a search in the registry stays in its tab', async ({ page }) => {
	await signIn(page);
	await page.goto('/admin/mods?tab=find&q=lantern&category=optimization&side=server');
	await ready(page);
	const field = page.getByRole('searchbox');
	await expect(field).toHaveValue('lantern');
	await page.getByRole('link', { name: 'Search all categories and sides' }).click();
	await expect(page.getByRole('list', { name: 'Found mods' })).toContainText('Lantern Keeper');
	await expect(page.getByLabel('Category')).toHaveValue('');
	await page.getByLabel('Category').selectOption('Optimization');
	await expect(page).toHaveURL(/category=optimization/);
	await page
		.getByRole('link', { name: /^Installed/ })
		.first()
		.click();
	await expect(field).toHaveValue('');
	await expect(page.getByRole('list', { name: 'Installed mods' })).toContainText('Lithium');
});

test('mods are chosen one by one, all at once, and let go one by one', async ({ page }) => {
	await signIn(page);
	await page.goto('/admin/mods');
	await ready(page);
	const bar = page.getByRole('group', { name: 'Selected mods' });
	const box = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` });
	const all = page.getByRole('link', { name: 'Update 5 mods' });
	await expect(all).toHaveClass(/primary/);
	await box('Fabric API').check();
	await page.keyboard.press('Escape');
	await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0);
	await box('Fabric API').check();
	await box('Lantern Keeper').check();
	// What is meant now is the only one.
	await expect(all).toHaveCount(0);
	await expect(bar.getByRole('button', { name: 'Update 2' })).toHaveClass(/primary/);
	await expect(box('Fabric API')).toBeChecked();
	await expect(bar).toContainText('2 selected');
	await bar.getByRole('button', { name: /^Select all \d/ }).click();
	await expect(page.getByRole('checkbox', { name: /^Select / })).toHaveCount(5);
	await expect(bar).toContainText('5 selected');
	await box('Lithium').uncheck();
	await expect(bar).toContainText('4 selected');
	await bar.getByRole('button', { name: 'Update 4' }).click();
	await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Update 4 mods/);
});

test('with Shift all between two mods are chosen, by the mouse and by the keyboard', async ({
	page
}) => {
	await signIn(page);
	await page.goto('/admin/mods');
	await ready(page);
	const bar = page.getByRole('group', { name: 'Selected mods' });
	const boxes = page.getByRole('checkbox', { name: /^Select / });
	await boxes.nth(3).click();
	await boxes.nth(1).click({ modifiers: ['Shift'] });
	await expect(bar).toContainText('3 selected');
	for (const nth of [1, 2, 3]) await expect(boxes.nth(nth)).toBeChecked();
	await expect(boxes.first()).not.toBeChecked();
	expect(await page.evaluate(() => String(getSelection()))).toBe('');
	// Beside the box, and what is let go of.
	const label = page.locator('label:has(input[name=file])').nth(2);
	await label.click({ position: { x: 4, y: 4 }, modifiers: ['Shift'] });
	await expect(bar).toContainText('1 selected');
	await boxes.nth(0).focus();
	await page.keyboard.press('Space');
	await expect(bar).toContainText('2 selected');
	await boxes.nth(4).focus();
	await page.keyboard.press('Shift+Space');
	await expect(bar).toContainText('5 selected');
	await label.click({ position: { x: 4, y: 4 } });
	await expect(bar).toContainText('4 selected');
});

test('what is chosen stays chosen through searches and filters, and is all acted on', async ({
	page
}) => {
	await signIn(page);
	await page.goto('/admin/mods');
	await ready(page);
	const bar = page.getByRole('group', { name: 'Selected mods' });
	const box = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` });
	const search = page.getByLabel('Search installed mods');
	await box('Fabric API').check();
	await box('Lantern Keeper').check();
	await search.fill('lithium');
	await expect(bar).toContainText('2 selected, 2 not shown');
	await box('Lithium').check();
	await expect(bar).toContainText('3 selected, 2 not shown');
	await search.fill('no mod is called this');
	await expect(bar).toContainText('3 selected, 3 not shown');
	await bar.getByRole('button', { name: /^Show only/ }).click();
	await expect(page.getByRole('checkbox', { name: /^Select / })).toHaveCount(3);
	await expect(bar.getByRole('status')).toHaveText('3 selected');
	// What is let go of can be taken back.
	await box('Lithium').uncheck();
	await expect(bar.getByRole('status')).toHaveText('2 selected');
	await box('Lithium').check();
	await search.fill('lithium');
	await bar.getByRole('button', { name: 'Disable' }).click();
	await expect(page).toHaveURL(/(file=[^&]+&){2}file=[^&]+/);
	// Whoever comes back from the plan finds the choice as it was, by the browser's way and by the page's.
	for (const back of ['Back', 'Cancel']) {
		if (back === 'Back') await page.goBack();
		else await page.getByRole('link', { name: 'Cancel' }).click();
		await expect(bar).toContainText('3 selected, 2 not shown');
		await expect(search).toHaveValue('lithium');
		await bar.getByRole('button', { name: 'Disable' }).click();
		await expect(page).toHaveURL(/(file=[^&]+&){2}file=[^&]+/);
	}
	const plan = page.getByRole('list', { name: 'Disabled' });
	for (const name of ['Fabric API', 'Lantern Keeper', 'Lithium'])
		await expect(
			plan.or(page.getByRole('main')).getByText(name, { exact: true }).first()
		).toBeVisible();
});

for (const { tab, name, box, asks, act, plan } of [
	{
		tab: 'installed',
		name: 'opening a mod',
		box: 'Select Lithium',
		asks: (page: Page) => page.getByRole('link', { name: 'Fabric API', exact: true }).click(),
		act: 'Disable',
		plan: /Disable Lithium/
	},
	{
		tab: 'find&q=hearth+and',
		name: 'looking for another',
		box: 'Select Hearth & Home',
		asks: (page: Page) => page.getByRole('searchbox', { name: 'Search the registry' }).fill('town'),
		act: 'Install',
		plan: /Install Hearth & Home/
	}
])
	test(`what is chosen is kept for whoever goes on to a plan while ${name} takes its time`, async ({
		page
	}) => {
		await withoutWorker(page);
		await signIn(page);
		await page.goto(`/admin/mods?tab=${tab}`);
		await ready(page);
		await page.route(/\/admin\/mods\/(plan\/)?__data\.json/, async (route) => {
			await new Promise((resolve) => setTimeout(resolve, 1500));
			await route.continue().catch(() => {});
		});
		const bar = page.getByRole('group', { name: 'Selected mods' });
		await page.getByRole('checkbox', { name: box }).check();
		const asked = page.waitForRequest(/\/admin\/mods\/__data\.json/);
		await asks(page);
		await asked;
		// What is typed last does not hold back what is pressed.
		await page.getByRole('main').getByRole('searchbox').fill('town crier');
		await bar.getByRole('button', { name: act }).click();
		await expect(page.getByRole('heading', { level: 1 })).toHaveText(plan);
		await page.goBack();
		await expect(bar).toContainText('1 selected');
	});

test('what is searched for stands in the address: it outlives a reload, and Back from a mod’s details', async ({
	page
}) => {
	await page.setViewportSize({ width: 390, height: 844 });
	await signIn(page);
	await page.goto('/admin/mods?show=updates');
	await page.goto('/admin/mods');
	await ready(page);
	await expect(page.getByRole('link', { name: 'Update 5 mods' })).toBeVisible();
	await expect(page.getByText('has not answered yet')).toHaveCount(0);
	const search = page.getByLabel('Search installed mods');
	const asked: string[] = [];
	page.on('request', (request) => asked.push(request.url()));
	await search.pressSequentially('lith');
	await expect(page).toHaveURL(/\/admin\/mods\?q=lith$/);
	await expect(search).toBeFocused();
	// All of the list is there already.
	expect(asked.filter((url) => url.includes('__data'))).toEqual([]);
	await page.getByRole('link', { name: 'Lithium', exact: true }).click();
	await expect(page).toHaveURL(/mod=lithium/);
	await page.goBack();
	await expect(search).toHaveValue('lith');
	await expect(page.getByRole('checkbox', { name: /^Select / })).toHaveCount(1);
	await page.reload();
	await expect(search).toHaveValue('lith');
	await expect(page.getByRole('checkbox', { name: /^Select / })).toHaveCount(1);
	// While somebody types, nothing is added to the history.
	await page.goBack();
	await expect(page).toHaveURL(/show=updates$/);
});

for (const width of [320, 1280])
	test(`at ${width} px the deciding controls stay visible and nothing scrolls sideways`, async ({
		page
	}) => {
		await page.setViewportSize({ width, height: 560 });
		await signIn(page);
		await page.goto('/admin/mods');
		await ready(page);
		const bar = page.getByRole('group', { name: 'Selected mods' });
		await expect(bar).toBeHidden();
		await page.getByRole('link', { name: 'Select these 5' }).click();
		await expect(bar.getByRole('button', { name: 'Update 5' })).toBeInViewport({ ratio: 1 });
		await noSidewaysScroll(page);
		await bar.getByRole('button', { name: 'Update 5' }).click();
		const run = page.getByRole('button', {
			name: width < 720 ? 'Update 5, add 1' : 'Update 5 mods and add 1 dependency'
		});
		await expect(run).toBeInViewport({ ratio: 1 });
		await noSidewaysScroll(page);
		for (const address of ['?tab=find', '?tab=modpack', '?tab=upload', '/projects/fabric-api']) {
			await page.goto(`/admin/mods${address}`);
			await noSidewaysScroll(page);
		}
		const words = page.locator('a.primary .clip').filter({ hasText: 'Update to 0.105.0+1.21.1' });
		const widths = await words.evaluateAll((all) =>
			all.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
		);
		expect(widths).toEqual([0]);
	});

test.describe('without JavaScript', () => {
	test.use({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });

	/** Chooses the mod in the list, looks at what would happen, does it, and waits for its page to say how it ended. */
	async function updateByForms(page: Page, name: string, shown: string) {
		await page.goto('/admin/mods');
		await page.getByRole('checkbox', { name: `Select ${name}` }).check();
		await page.getByRole('button', { name: 'Update', exact: true }).click();
		await expect(page.getByRole('main')).toContainText(shown);
		await atOnce(page);
		await page.getByRole('button', { name: /^Update/ }).click();
		await expect(page).toHaveURL(/\/admin\/operations\//);
		await comesToRest(page);
	}

	test('an update that boots fine is previewed and carried out with plain forms', async ({
		page,
		dashboard
	}) => {
		await startGame(dashboard);
		await signIn(page);
		const before = await jars(dashboard);
		await updateByForms(page, 'Lantern Keeper', '1.4.2 → 1.5.0');
		await expect(ending(page)).toContainText('Done');
		const after = await jars(dashboard);
		expect(Object.keys(after)).toContain('lantern-keeper-1.5.0.jar');
		expect(Object.keys(after)).not.toContain('lantern-keeper-1.4.2.jar');
		delete before['lantern-keeper-1.4.2.jar'];
		expect(after).toMatchObject(before);
		await page.goto('/admin');
		await expect(state(page)).toHaveText(/Running/);
	});

	test('several mods of a page of results are installed by one plan', async ({ page }) => {
		await signIn(page);
		await page.goto('/admin/mods?tab=find');
		await noSidewaysScroll(page);
		const boxes = page.getByRole('checkbox', { name: /^Select / });
		for (const nth of [0, 1]) await boxes.nth(nth).check();
		await page.getByRole('button', { name: 'Install the selected' }).click();
		await expect(page).toHaveURL(/do=install(&project=[^&]+){2}$/);
		await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Install 2 mods/);
	});

	test('an update that does not start on a copy changes nothing, and its page lists the starts', async ({
		page,
		dashboard
	}) => {
		await startGame(dashboard);
		await signIn(page);
		const before = await jars(dashboard);
		await updateByForms(page, 'Quiet Villagers', '2.0.1 → 3.0.0');
		await expect(ending(page)).toContainText('Nothing was changed, and nobody was disconnected', {
			timeout: OPERATION_MS
		});
		await expect(page.getByText('The mods as they are, for comparison')).toBeVisible();
		expect(await jars(dashboard)).toEqual(before);
		expect(await processesIn(dashboard.gameDir)).toHaveLength(1);
		await page.goto('/admin');
		await expect(state(page)).toHaveText(/Running/);
	});
});

test('a mod that is not chosen has an empty box with an edge, also in the dark', async ({
	page
}) => {
	await page.emulateMedia({ colorScheme: 'dark' });
	await signIn(page);
	await page.goto('/admin/mods');
	await ready(page);
	const box = page.getByRole('checkbox', { name: /^Select / }).first();
	// As the token’s: 3:1 on the panel, whose colour is inside.
	await expect(box).toHaveCSS('background-color', 'rgb(21, 26, 33)');
	await expect(box).toHaveCSS('border-top-color', 'rgb(102, 116, 134)');
	const size = (await box.boundingBox())!;
	expect([size.width, size.height]).toEqual([18, 18]);
	await box.check();
	await expect(box).toHaveCSS('background-color', 'rgb(242, 180, 65)');
});

test('on a small phone, and enlarged there, no button’s words are cut off, and the bar leaves the list', async ({
	page
}) => {
	await signIn(page);
	for (const [width, height] of [
		[320, 700],
		[195, 422]
	] as const) {
		await page.setViewportSize({ width, height });
		await page.goto('/admin/mods');
		await expect(page.getByRole('link', { name: 'Update 5 mods' })).toBeVisible();
		await page.goto('/admin/mods?pick=updates');
		await ready(page);
		const cut = await page
			.locator('main .button .clip')
			.evaluateAll((all) =>
				all
					.filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth)
					.map((one) => one.textContent)
			);
		expect(cut, `${width}`).toEqual([]);
		const bar = page.getByRole('group', { name: 'Selected mods' });
		const { height: taken } = (await bar.locator('.row').boundingBox())!;
		expect(taken).toBeLessThan(height * 0.36);
	}
});

test('what five updates change, and when, is in one window of a laptop with the button', async ({
	page,
	dashboard
}) => {
	await signIn(page);
	await startGame(dashboard);
	await page.setViewportSize({ width: 1280, height: 800 });
	await page.goto('/admin/mods/plan?do=update&all=1');
	await ready(page);
	const bar = (await page.getByRole('group', { name: 'Decide' }).boundingBox())!;
	const when = page.getByLabel('When', { exact: true });
	const tried = page.getByRole('listitem').filter({ hasText: 'is started once on a copy' });
	for (const one of [
		...[when, page.getByText('Back up the world first'), page.getByText('Skip the trial'), tried]
	]) {
		const { y, height } = (await one.boundingBox())!;
		expect(y + height).toBeLessThanOrEqual(bar.y);
	}
	const decide = page.getByRole('group', { name: 'Decide' });
	await expect(decide).toContainText('With a backup of the world, tried on a copy first');
	await decide.getByRole('link', { name: 'Change' }).click();
	await expect(when).toBeInViewport();
	await page.evaluate(() => scrollTo(0, 0));
	await expect(page.getByRole('heading', { name: 'Added' })).toBeInViewport();
	// On a phone, too, what is chosen further down stands beside the button.
	await page.setViewportSize({ width: 390, height: 844 });
	await expect(decide).toContainText('With a backup of the world, tried on a copy first');
	for (const chosen of ['Skip the trial', 'Back up the world first'])
		await page.getByText(chosen).click();
	await expect(decide).toContainText('Without a backup, not tried on a copy');
	await noSidewaysScroll(page);
});

test('whoever cancels a plan finds the list as it was filtered, sorted and searched', async ({
	page
}) => {
	await signIn(page);
	await page.goto('/admin/mods?order=size');
	await ready(page);
	await page.getByLabel('Search installed mods').fill('lith');
	await expect(page).toHaveURL(/\?order=size&q=lith$/);
	await page.getByRole('link', { name: 'Update Lithium' }).click();
	await expect(page.getByRole('heading', { name: 'Updated' })).toBeVisible();
	await page.getByRole('link', { name: 'Cancel' }).click();
	await expect(page).toHaveURL(/\/admin\/mods\?order=size&q=lith$/);
	await expect(page.getByLabel('Search installed mods')).toHaveValue('lith');
	// What was not set is not blamed, and there is nothing to be sorted.
	await page.getByLabel('Search installed mods').fill('zzz');
	await expect(page.getByText('No installed mod matches the search.')).toBeVisible();
	await expect(page.getByLabel('Sort by')).toHaveCount(0);
	await page.goto('/admin/mods?show=locked&q=lith');
	await ready(page);
	await expect(page.getByText('No installed mod matches the search and the filter.')).toBeVisible();
	await page.getByRole('link', { name: 'Show the 1 without the filter' }).click();
	await expect(page.getByRole('checkbox', { name: /^Select / })).toHaveCount(1);
});

test('while the old mods are being put back, the details of one say why it cannot be changed', async ({
	page,
	dashboard
}) => {
	await startGame(dashboard);
	await signIn(page);
	const visitor = await signedIn(dashboard);
	const taken = await visitor.json('/api/snapshots', { note: '' });
	await visitor.json(`/api/snapshots/${taken.body.snapshot.id}/restore`, { delaySeconds: 600 });
	const file = 'lithium-fabric-0.13.0%2Bmc1.21.1.jar';
	expect(await (await page.request.get(`/admin/mods?mod=${file}`)).text()).toContain(
		'Not possible now.'
	);
	await page.goto(`/admin/mods?mod=${file}`);
	await ready(page);
	const detail = page.getByRole('complementary', { name: 'Mod' });
	for (const name of ['Disable', 'Remove'])
		await expect(detail.getByRole('button', { name })).toHaveAttribute('aria-disabled', 'true');
	await expect(detail.getByRole('status')).toContainText('Not possible now.');
});

test('on a phone “What changed” stands beside the name of a mod, above its versions', async ({
	page
}) => {
	await signIn(page);
	for (const width of [390, 320]) {
		await page.setViewportSize({ width, height: 844 });
		await page.goto('/admin/mods/plan?do=update&all=1');
		await ready(page);
		const row = page.getByRole('list', { name: 'Updated' }).getByRole('listitem').first();
		const name = (await row.locator('b').boundingBox())!;
		const opens = (await row.getByText('What changed').boundingBox())!;
		const versions = (await row.getByText('→').first().boundingBox())!;
		expect(opens.y).toBeLessThan(name.y + name.height);
		expect(versions.y).toBeGreaterThanOrEqual(opens.y + opens.height - 2);
		await noSidewaysScroll(page);
	}
});
