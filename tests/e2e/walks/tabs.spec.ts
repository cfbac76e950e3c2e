import { startGame } from '../game.ts';
import { expect, noSidewaysScroll, ready, signIn, test } from '../fixtures.ts';

test('tabs are one line, with all of it in sight, and the number beside the word where there is room', async ({
	page,
	dashboard
}) => {
	await startGame(dashboard);
	await signIn(page);
	for (const width of [320, 360, 390, 768]) {
		await page.setViewportSize({ width, height: 844 });
		for (const tab of ['online', 'everyone']) {
			await page.goto(`/admin/players?tab=${tab}`);
			await ready(page);
			await noSidewaysScroll(page);
			const tabs = page.getByRole('navigation', { name: 'Players' });
			await expect(tabs.locator('[aria-current]')).toBeInViewport({ ratio: 0.99 });
			const { x, height } = (await tabs.boundingBox())!;
			expect(height, `${width} px`).toBeLessThan(50);
			const middles = await tabs.locator('[aria-current]').evaluate((one) => {
				const words = document.createRange();
				words.selectNode(one.firstChild!);
				return [words, one.querySelector('.count')!].map((part) => {
					const { top, bottom } = part.getBoundingClientRect();
					return (top + bottom) / 2;
				});
			});
			if (width >= 440) expect(Math.abs(middles[0]! - middles[1]!)).toBeLessThan(6);
			else expect(middles[1]).toBeGreaterThan(middles[0]! + 6);
			// Also with counts of three digits.
			await tabs.locator('.count').evaluateAll((all, isPhone) => {
				if (isPhone) for (const one of all) one.textContent = '300';
			}, width < 440);
			for (const one of await tabs.getByRole('link').all()) {
				const box = (await one.boundingBox())!;
				expect(box.x).toBeGreaterThanOrEqual(x);
				expect(box.x + box.width).toBeLessThanOrEqual(width);
			}
		}
	}
});

test('between the tabs of a phone the gaps are even and wider than those between words', async ({
	page
}) => {
	await signIn(page);
	await page.setViewportSize({ width: 390, height: 844 });
	await page.goto('/admin/mods');
	await ready(page);
	const gaps = await page.locator('main nav[aria-label="Mods"] > a').evaluateAll((all) => {
		const words = all.map((one) => {
			const range = document.createRange();
			range.selectNodeContents(one);
			return range.getBoundingClientRect();
		});
		return words.slice(1).map(({ left }, nth) => left - words[nth]!.right);
	});
	expect(Math.min(...gaps)).toBeGreaterThan(16);
	expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThan(8);
});
