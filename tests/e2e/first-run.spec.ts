import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ownPort } from '../../scripts/demo-server/testing/own-port.ts';
import { startFakePing } from '../fakes/game/ping.ts';
import { standInFolder, type StandInFolder } from '../fakes/game/server-folders.ts';
import { expect, noSidewaysScroll, ready, signIn, test as base } from './fixtures.ts';
import { ADMIN, startDashboard } from '../harness.ts';

const test = base.extend<{ folder: StandInFolder }>({
	// eslint-disable-next-line no-empty-pattern -- it needs none of the others
	folder: async ({}, use) => {
		const folder = await standInFolder(null);
		// What listens on the usual port of this machine is no part of the test.
		await folder.write('server.properties', `server-port=${await ownPort()}\n`);
		await use(folder);
		await folder.remove();
	},
	dashboard: async ({ folder }, use) => {
		const home = await mkdtemp(path.join(tmpdir(), 'craftwarden-'));
		const env = { SERVER_DIR: folder.dir, SCHEDULER: 'embedded' };
		const dashboard = await startDashboard({ env, home });
		await use(dashboard);
		await dashboard.dispose();
		await rm(home, { recursive: true, force: true });
	}
});
const own = (folder: StandInFolder, name: string) =>
	readFile(path.join(folder.dir, name), 'utf8').catch(() => '');

for (const javaScriptEnabled of [true, false])
	test.describe(`${javaScriptEnabled ? 'with' : 'without'} JavaScript`, () => {
		test.use({ javaScriptEnabled, viewport: { width: 390, height: 844 } });

		test('an empty folder becomes a server that can be started', async ({ page, folder }) => {
			await page.goto('/');
			await expect(page.getByRole('main')).toContainText('There is no server here yet.');
			await expect(page.getByText(/Server address|How to join/)).toHaveCount(0);
			await expect(page.getByRole('heading', { level: 1 })).toHaveText('A Minecraft server');
			await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
			await expect(page).toHaveURL(/\/login$/);
			await signIn(page);
			if (javaScriptEnabled) await ready(page);
			const guide = page.getByRole('region', { name: 'Set up the server' });
			const done = (name: string) =>
				guide.getByRole('listitem').filter({ hasText: name }).getByText('Done', { exact: true });
			/** What is done in the folder shows up by itself, or at the next check. */
			const look = () => (javaScriptEnabled ? null : page.reload());
			// One press does it all.
			await expect(guide.getByText('One thing to do')).toBeVisible();
			await expect(guide.getByRole('listitem')).toHaveCount(1);
			await noSidewaysScroll(page);
			await expect(page.getByRole('banner')).toContainText('No server yet');
			await expect(page.getByText('Stopped', { exact: true })).toHaveCount(0);
			// The guide comes first, and there is nothing to press that cannot work.
			const headings = page.getByRole('main').getByRole('heading', { level: 2 });
			await expect(headings.first()).toHaveText('Set up the server');
			// What helps most is there before any words.
			const first = guide.getByRole('listitem').first();
			await expect(first).toHaveText(/^\s*To do\s*A server in the folder\s*Set up a server here/);
			const live = page.getByRole('button', { name: /^(?:Start|Restart|Stop|Run now|Send)$/ });
			await expect(live).toHaveCount(0);
			for (const place of [
				...['players', 'chat', 'mods', 'stats', 'console', 'server/upgrade'],
				...['logs', 'logs?view=files', 'backups', 'backups?tab=snapshots']
			]) {
				await page.goto(`/admin/${place}`);
				const why = page.getByText('There is no server in the folder yet.');
				await expect(why).toBeVisible();
				await expect(page.getByRole('link', { name: 'Set up a server here' })).toBeVisible();
				// It is said once, and nothing below it says that there is nothing.
				await expect(page.locator('main .panel')).toHaveCount(1);
				await expect(page.getByRole('main').getByRole('button')).toHaveCount(0);
			}
			await page.goto('/admin/backups/prune?keep=10');
			await expect(page.getByText('There are no snapshots yet.')).toBeVisible();
			await page.goto('/admin/players');
			await page.getByRole('link', { name: 'Set up a server here' }).click();
			const kinds = page.getByRole('region', { name: 'Set up a server: which kind?' });
			await expect(kinds.getByRole('link')).toHaveCount(6);
			await expect(page.getByRole('heading', { name: 'Installed' })).toHaveCount(0);
			await noSidewaysScroll(page);
			await page.goto('/admin');
			if (javaScriptEnabled) await ready(page);

			const other = await standInFolder('vanilla');
			await folder.write('server.jar', await readFile(path.join(other.dir, 'server.jar')));
			await other.remove();
			await expect(async () => {
				await look();
				await expect(done('A way to start it')).toBeAttached({ timeout: 5_000 });
			}).toPass();

			await guide.getByRole('checkbox', { name: /agree/ }).check();
			await guide.getByRole('button', { name: 'Accept' }).click();
			await expect(done('Minecraft’s EULA accepted')).toBeAttached();
			expect(await own(folder, 'eula.txt')).toContain('eula=true');

			await guide.getByRole('button', { name: 'Apply now' }).click();
			if (javaScriptEnabled) {
				await expect(guide).toContainText('start the server below');
				// Nothing has answered yet.
				await expect(guide).toContainText('It takes effect at the next start of the server.');
				await expect(guide.getByText('3 of 4 done')).toBeVisible();
			} else await expect(guide).toHaveCount(0);
			expect(await own(folder, 'server.properties')).toContain('enable-rcon=true');
			await page.reload();
			await expect(guide).toHaveCount(0);
			await expect(page.getByRole('button', { name: 'Start', exact: true })).toBeEnabled();
			await page.goto('/admin/backups');
			await expect(page.getByText('There is no world yet. Start the server once')).toBeVisible();
			await expect(page.getByRole('main').getByRole('button', { name: 'Start' })).toBeVisible();
			await expect(page.getByRole('button', { name: 'Back up now' })).toHaveCount(0);
		});
	});

test('another server on the port of an empty folder is named, and not shown as its own', async ({
	page,
	folder
}) => {
	const port = Number((await own(folder, 'server.properties')).match(/server-port=(\d+)/)![1]);
	const players = { max: 99, online: 7, sample: [{ name: 'Stranger', id: '' }] };
	const other = await startFakePing({
		port,
		status: {
			description: 'Somebody else’s server',
			version: { name: '1.20', protocol: 763 },
			players
		}
	});
	try {
		await page.goto('/');
		await expect(page.getByRole('main')).toContainText('There is no server here yet.');
		await signIn(page);
		const guide = page.getByRole('region', { name: 'Set up the server' });
		await expect(guide).toContainText(`Something else answers on port ${port}.`);
		await expect(page.getByRole('banner')).toContainText('No server yet');
		await expect(page.getByText(/Somebody else’s|of 99|Stranger/)).toHaveCount(0);
	} finally {
		await other.close();
	}
});

test('an admin is told in a sentence, without the lines', async ({ page, folder }) => {
	await folder.write('server.properties', 'motd=Hi\n');
	await signIn(page, ADMIN);
	await expect(
		page.getByRole('heading', { name: 'Setting up the server is not finished' })
	).toBeVisible();
	await expect(page.getByText('Still to do: A server in the folder')).toBeVisible();
	await expect(page.getByRole('region', { name: 'Set up the server' })).toHaveCount(0);
	await expect(page.getByText('rcon.password')).toHaveCount(0);
});
