import { expect, test } from './fixtures.ts';
import { startGame } from './game.ts';

test('players read whether they can join now', async ({ page, dashboard }) => {
	const main = page.getByRole('main');
	const nobody = main.getByText('Nobody can join until it runs again.');
	await page.goto('/');
	await expect(main.getByText('Stopped')).toBeVisible();
	await expect(nobody).toBeVisible();
	await expect(main.getByRole('heading', { name: 'How to join' })).toBeVisible();
	await startGame(dashboard);
	await page.reload();
	await expect(main.getByText('Running')).toBeVisible();
	await expect(nobody).toHaveCount(0);
});
