import { expect, ready, test } from './fixtures.ts';
import { startGame } from './game.ts';

test('players read whether it runs now, without loading the page again', async ({
	page,
	dashboard
}) => {
	const main = page.getByRole('main');
	const demo = main.getByText('This is the demo, which nobody can join.');
	await page.clock.install();
	await page.goto('/');
	await ready(page);
	await expect(main.getByText('Stopped')).toBeVisible();
	await expect(demo).toBeVisible();
	await expect(main.getByRole('heading', { name: 'How to join' })).toBeVisible();
	await startGame(dashboard);
	// The browser may use an answer again for 3 s.
	await expect(async () => {
		await page.clock.fastForward(15_000);
		await expect(main.getByText('Running')).toBeVisible({ timeout: 1_000 });
	}).toPass();
	await expect(demo).toBeVisible();

	await dashboard.kill();
	await expect(async () => {
		await page.clock.fastForward(15_000);
		await expect(main.getByText('It cannot be checked again now.')).toBeVisible({ timeout: 1_000 });
	}).toPass();
});
