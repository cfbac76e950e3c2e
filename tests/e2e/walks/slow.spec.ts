import { addressOf, furnish } from '../pages.ts';
import { expect, ready, signIn, test } from '../fixtures.ts';
import { movedOn, slowDown, watchShifts } from './shifts.ts';

/** Where what only the browser knows takes the place of what the server wrote: a time zone, what a device can do. */
const PAGES = [
	'/admin/devices',
	'/admin/backups/confirm?backup={backup}',
	'/admin/backups/confirm?snapshot={snapshot}',
	'/admin/backups/confirm?snapshot={snapshot}&do=restore',
	'/admin/backups/confirm?snapshot={snapshot}&do=put-back',
	'/admin/backups/restore?backup={backup}'
];

for (const width of [390, 1280])
	test(`a slow machine moves nothing when it knows more than the server at ${width} px`, async ({
		page,
		dashboard
	}) => {
		test.setTimeout(120_000);
		const facts = await furnish(dashboard);
		await page.setViewportSize({ width, height: 844 });
		await signIn(page);
		await watchShifts(page);
		await slowDown(page);
		for (const one of PAGES) {
			await page.goto(addressOf(one, facts));
			await ready(page);
			await page.waitForTimeout(500);
			const { sum, what } = await movedOn(page);
			expect(sum, `${one}: ${what}`).toBeLessThanOrEqual(0.01);
		}
	});
