import type { Page } from '@playwright/test';

type Source = { node: Node | null; previousRect: DOMRect; currentRect: DOMRect };
type Shift = LayoutShift & { sources: Source[] };
type LayoutShift = PerformanceEntry & { value: number; hadRecentInput: boolean };
/** How much of the page has moved, and what, for the message of a test that fails. */
export type Moved = { sum: number; what: string };

type Meant = {
	/** What follows a press at once is meant to move. */
	pressed?: boolean;
	/** So are the rows of this list, as new ones come in. */
	list?: string;
};

/** Begins to watch what moves on this page and on the next ones. */
export async function watchShifts(page: Page, meant: Meant = {}) {
	await page.addInitScript(observe, meant);
	await page.evaluate(observe, meant);
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
function observe({ pressed, list }: Meant) {
	let seen: Shift[] = [];
	// A row that has left has no parent any more.
	const isRow = ({ node }: Shift['sources'][number]) =>
		!node?.isConnected || !!node.parentElement?.closest(list!);
	const isMeant = ({ hadRecentInput, sources }: Shift) =>
		(pressed && hadRecentInput) || (!!list && sources.every(isRow));
	const add = (entries: PerformanceEntryList) => {
		for (const entry of entries as Shift[]) if (!isMeant(entry)) seen.push(entry);
	};
	const observer = new PerformanceObserver((records) => add(records.getEntries()));
	observer.observe({ type: 'layout-shift' });
	Object.assign(globalThis, {
		moved() {
			add(observer.takeRecords());
			const what = seen.map(({ value, sources }) => {
				const named = sources.map(({ node, previousRect, currentRect }) => {
					const is = node
						? `${node.nodeName} “${node.textContent?.slice(0, 60)}”`
						: 'what has left';
					return `${is} from ${JSON.stringify(previousRect)} to ${JSON.stringify(currentRect)}`;
				});
				return `${value.toFixed(4)}: ${named.join(', ')}`;
			});
			const sum = seen.reduce((all, { value }) => all + value, 0);
			seen = [];
			return { sum, what: what.join('\n') };
		}
	});
}
