import type { Page } from '@playwright/test';

/** From the next page on; on a machine six times as slow, where a page is drawn while it still comes in. */
export async function watchShifts(page: Page, { slow = false } = {}) {
	await page.addInitScript(() => {
		const seen = globalThis as unknown as { shifts: number };
		seen.shifts = 0;
		new PerformanceObserver((list) => {
			for (const entry of list.getEntries())
				seen.shifts += (entry as unknown as { value: number }).value;
		}).observe({ type: 'layout-shift', buffered: true });
	});
	if (!slow) return;
	const browser = await page.context().newCDPSession(page);
	await browser.send('Emulation.setCPUThrottlingRate', { rate: 6 });
}

/** How much of the page has moved, until half a second from now. */
export const shiftsOf = (page: Page) =>
	page.evaluate(async () => {
		await new Promise((seen) => setTimeout(seen, 500));
		return (globalThis as unknown as { shifts: number }).shifts;
	});
