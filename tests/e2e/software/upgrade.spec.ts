import type { Page } from '@playwright/test';
import {
	atOnce,
	comesToRest,
	expect,
	noSidewaysScroll,
	ready,
	signIn,
	state,
	test
} from '../fixtures.ts';
import { startGame } from '../game.ts';

/** An upgrade, or the way back, with its watch. */
const OPERATION_MS = 60_000;

for (const javaScriptEnabled of [true, false])
	test.describe(() => {
		test.use({ javaScriptEnabled });
		test(`the newer game that most mods have comes first, and one press leads to its plan, ${
			javaScriptEnabled ? 'with' : 'without'
		} JavaScript`, async ({ page }) => {
			await signIn(page);
			const versions = page.getByRole('list', { name: 'Newer game versions' });
			// While the registry has not answered yet, the page says so, and shows them when it is loaded again.
			await expect(async () => {
				await page.goto('/admin/server/upgrade');
				if (javaScriptEnabled) await ready(page);
				await expect(versions).toBeVisible({ timeout: 3000 });
			}).toPass();
			await expect(versions.locator('summary h3')).toHaveText([
				...['Minecraft 1.21.8', 'Minecraft 1.21.5', 'Minecraft 1.21.4', 'Minecraft 26.2']
			]);
			await expect(versions.locator('p:visible')).toHaveText(
				'The plan leads to Minecraft 1.21.8 and changes nothing yet: 4 of 5 mods come along; Quiet Villagers is parked until it has a version.'
			);
			await versions.getByRole('button', { name: 'Plan the upgrade to 1.21.8' }).click();
			await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText(
				'Mods: 4 come along, 1 parked'
			);
			await expect(
				page.getByRole('status').filter({ hasText: 'converts the world' })
			).toContainText(
				/a backup is made first.*everything is rolled back automatically.*Without Quiet Villagers/s
			);
		});
	});

test.describe('an upgrade that turned out badly in play', () => {
	test.use({ javaScriptEnabled: false, viewport: { width: 320, height: 844 } });
	test.setTimeout(4 * OPERATION_MS);

	async function ended(page: Page) {
		await expect(page).toHaveURL(/\/admin\/operations\//);
		await comesToRest(page);
		await expect(page.locator('main .ending')).toContainText('Done');
		await noSidewaysScroll(page);
	}

	test('is taken back from its own page and from that of the software, and names what it parks', async ({
		page,
		dashboard
	}) => {
		await startGame(dashboard);
		await signIn(page);
		const versions = page.getByRole('list', { name: 'Newer game versions' });
		await expect(async () => {
			await page.goto('/admin/server/upgrade');
			await expect(versions).toBeVisible({ timeout: 3000 });
		}).toPass();
		await versions.locator('summary', { hasText: 'Minecraft 1.21.4' }).click();
		await versions.getByRole('button', { name: 'Plan the upgrade to 1.21.4' }).click();
		const villagers = page.getByRole('link', { name: 'Quiet Villagers' });
		await expect(villagers).toHaveAttribute('href', /mod=quiet-villagers-2\.0\.1\.jar$/);
		await page.getByLabel('I have read what happens to the world').check();
		await page.getByLabel('Skip the trial').check();
		await atOnce(page);
		await page.getByRole('button', { name: 'Upgrade to 1.21.4' }).click();
		await ended(page);
		const parked = page.getByRole('list', { name: 'Parked mods' });
		await expect(parked).toContainText('Parked by this upgrade.');
		await expect(parked.getByRole('link', { name: 'Quiet Villagers' })).toHaveAttribute(
			'href',
			/mod=quiet-villagers-2\.0\.1\.jar\.disabled$/
		);
		await expect(page.getByText(/Minecraft 1\.21\.1 is kept until/)).toBeVisible();

		await page.getByRole('link', { name: 'Go back to Minecraft 1.21.1' }).click();
		await expect(page.getByRole('heading', { level: 1 })).toHaveText(
			'Go back to Minecraft 1.21.1?'
		);
		await expect(page.getByText(/What was played since .* is lost/)).toBeVisible();
		await expect(page.getByLabel('Back up what is there now first')).toBeChecked();
		await expect(page.getByRole('list', { name: 'What comes back' })).toContainText(
			/world.*Fabric .* for Minecraft 1\.21\.1.*mods/s
		);
		await noSidewaysScroll(page);
		await atOnce(page);
		await page.getByRole('button', { name: 'Go back to Minecraft 1.21.1' }).click();
		await ended(page);
		await expect(page.getByRole('link', { name: 'Go back to Minecraft 1.21.4' })).toBeVisible();
		await page.goto('/admin');
		await expect(state(page)).toHaveText(/Running/);

		// What it has replaced can be brought back in turn, or removed.
		await page.goto('/admin/server');
		const kept = page.getByRole('list', { name: 'Kept from before' });
		await expect(kept).toContainText('Minecraft 1.21.4');
		await expect(kept.getByRole('link', { name: 'Go back to Minecraft 1.21.4' })).toBeVisible();
		await noSidewaysScroll(page);
		await kept.getByRole('link', { name: /Remove/ }).click();
		await page.getByRole('button', { name: 'Remove it' }).click();
		await expect(page).toHaveURL(/\/admin\/server$/);
		await expect(kept).toHaveCount(0);
		await page.goto('/admin/server/upgrade');
		await expect(page.getByRole('list', { name: 'Parked mods' })).toHaveCount(0);
	});
});
