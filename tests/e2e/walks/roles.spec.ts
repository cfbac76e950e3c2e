import { ADMIN } from '../../harness.ts';
import { startGame } from '../game.ts';
import { expect, ready, signIn, test } from '../fixtures.ts';
import { ADMIN_PAGES, addressOf, furnish } from '../pages.ts';

test.setTimeout(300_000);

test('no link that an admin is shown leads to what only a superadmin may see', async ({
	page,
	dashboard
}) => {
	const facts = await furnish(dashboard);
	await startGame(dashboard);
	await signIn(page, ADMIN);
	const seen = new Map<string, string>();
	for (const target of ADMIN_PAGES) {
		const from = addressOf(target, facts);
		if ((await page.goto(from))?.status() === 403) continue;
		await ready(page);
		const links = await page
			.locator('a[href^="/admin"]:visible')
			.evaluateAll((all) => all.map((link) => link.getAttribute('href')!.replace(/#.*/, '')));
		for (const link of links) if (!seen.has(link)) seen.set(link, from);
	}
	const refused: string[] = [];
	for (const [link, from] of seen)
		if ((await page.request.get(link)).status() === 403) refused.push(`${link} on ${from}`);
	expect(refused).toEqual([]);
	expect(seen.size).toBeGreaterThan(40);

	await page.goto('/admin/confirm?do=kill');
	await expect(page.getByText('Only a superadmin can kill the server.')).toBeVisible();
	await expect(page.getByRole('button', { name: 'Kill' })).toHaveCount(0);
});
