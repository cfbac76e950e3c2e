import { beforeEach, expect, test, vi } from 'vitest';

/** A history with an entry for each layer, whose Back is told of later, as a browser's is. */
type Before = (navigation: {
	type: string;
	to: { url: URL };
	willUnload: boolean;
	cancel: () => void;
}) => void;
const { entries, listeners, befores, opened } = vi.hoisted(() => ({
	entries: [] as { over?: number }[],
	listeners: [] as ((event: { state: object | null }) => void)[],
	befores: [] as Before[],
	opened: [] as string[]
}));
vi.mock('$app/navigation', () => ({
	pushState: (_: string, state: { over: number }) => void entries.push(state),
	beforeNavigate: (before: Before) => befores.push(before),
	goto: (url: URL) => void opened.push(url.href)
}));
vi.stubGlobal('addEventListener', (_: string, heard: (typeof listeners)[number]) =>
	listeners.push(heard)
);
const back = () =>
	void setTimeout(() => {
		entries.pop();
		for (const heard of listeners) heard({ state: {} });
	});
vi.stubGlobal('history', {
	back,
	get state() {
		return { index: entries.length, ...entries.at(-1) };
	}
});
const { backCloses, holdLinksUntilSettled } = await import('./back-closes.ts');
const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

beforeEach(() => {
	entries.length = 0;
});

test('Back closes the topmost only, and what is closed otherwise leaves no entry', async () => {
	const closed: string[] = [];
	const below = backCloses(() => closed.push('below'));
	const above = backCloses(() => closed.push('above'));
	expect(entries).toEqual([{ over: 1 }, { over: 2 }]);
	back();
	await settled();
	expect(closed).toEqual(['above']);
	await above.closed();
	expect(entries).toEqual([{ over: 1 }]);
	await below.closed();
	await settled();
	expect(entries).toEqual([]);
	expect(closed).toEqual(['above']);
});

test('a page that arrives at a fragment below closes nothing', async () => {
	const close = vi.fn();
	const layer = backCloses(close);
	for (const heard of listeners) heard({ state: null });
	expect(close).not.toHaveBeenCalled();
	await layer.closed();
	await settled();
	expect(entries).toEqual([]);
});

test('one that is opened while another is on its way out of the history has its own entry', async () => {
	const first = backCloses(() => {});
	void first.closed();
	const close = vi.fn();
	const second = backCloses(close);
	await settled();
	expect(entries).toEqual([{ over: 1 }]);
	expect(close).not.toHaveBeenCalled();
	await second.closed();
	await settled();
	expect(entries).toEqual([]);
});

test('whoever goes elsewhere waits for the entry before to be gone', async () => {
	void backCloses(() => {}).closed();
	await backCloses(() => {}).closed();
	expect(entries).toEqual([]);
	await settled();
	expect(entries).toEqual([]);
});

test('a page that has come meanwhile is not left', async () => {
	const layer = backCloses(() => {});
	entries.push({});
	await layer.closed();
	await settled();
	expect(entries).toEqual([{ over: 1 }, {}]);
	const again = backCloses(() => {});
	again.left();
	await again.closed();
	await settled();
	expect(entries).toHaveLength(3);
});

test('a link that is pressed right after something was closed is followed once that is out of the history', async () => {
	holdLinksUntilSettled();
	const cancel = vi.fn();
	const to = { url: new URL('http://x/admin/mods') };
	const press = (type: string) => befores[0]!({ type, to, willUnload: false, cancel });
	press('link');
	expect(cancel).not.toHaveBeenCalled();
	void backCloses(() => {}).closed();
	press('goto');
	expect(cancel).not.toHaveBeenCalled();
	press('link');
	expect(cancel).toHaveBeenCalledOnce();
	expect(opened).toEqual([]);
	await settled();
	expect(entries).toEqual([]);
	expect(opened).toEqual(['http://x/admin/mods']);
});
