import type { Page } from '@playwright/test';

type Shift = LayoutShift & { sources: { node: Node | null }[] };
type LayoutShift = PerformanceEntry & { value: number; hadRecentInput: boolean };
/** How much of the page has moved, and what, for the message of a test that fails. */
export type Moved = { sum: number; what: string };

/**
 * Begins to watch what moves on this page and on the next ones. `pressed`: what follows a press at once is meant to
 * move.
 */
export async function watchShifts(page: Page, { pressed = false } = {}) {
	await page.addInitScript(observe, pressed);
	await page.evaluate(observe, pressed);
}

/** From now on a machine six times as slow, where a page is drawn while it still comes in. */
export async function slowDown(page: Page) {
	const browser = await page.context().newCDPSession(page);
	await browser.send('Emulation.setCPUThrottlingRate', { rate: 6 });
}

/** What has moved since this was asked before, or since the page came. */
export const movedOn = (page: Page): Promise<Moved> =>
	page.evaluate(() => (globalThis as unknown as { moved: () => Moved }).moved());

/** Runs in the browser. */
function observe(pressed: boolean) {
	let seen: Shift[] = [];
	const add = (entries: PerformanceEntryList) => {
		for (const entry of entries as Shift[]) if (!pressed || !entry.hadRecentInput) seen.push(entry);
	};
	const observer = new PerformanceObserver((list) => add(list.getEntries()));
	observer.observe({ type: 'layout-shift' });
	Object.assign(globalThis, {
		moved() {
			add(observer.takeRecords());
			const nodes = seen.flatMap(({ sources }) => sources.map(({ node }) => node));
			const what = nodes.map((node) => `${node?.nodeName} “${node?.textContent?.slice(0, 60)}”`);
			const sum = seen.reduce((all, { value }) => all + value, 0);
			seen = [];
			return { sum, what: what.join(', ') };
		}
	});
}
