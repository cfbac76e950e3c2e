import { expect, test, vi } from 'vitest';
import { reload, reloadNow } from './reload.svelte.ts';

const { asked, page, navigating, dashboard } = vi.hoisted(() => ({
	asked: [] as (string | null)[],
	page: { url: new URL('http://x/admin/mods') },
	navigating: { complete: null as Promise<void> | null },
	dashboard: { answers: true }
}));
vi.mock('$app/navigation', () => ({
	invalidate: async (key: string) => void asked.push(key),
	invalidateAll: async () => void asked.push(null)
}));
vi.mock('./stream/health.ts', () => ({ answers: async () => dashboard.answers }));
vi.mock('$app/state', () => ({ page, navigating }));

function opening() {
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	navigating.complete = promise;
	const end = (settle: () => void) => {
		navigating.complete = null;
		settle();
	};
	return { open: () => end(resolve), drop: () => end(() => reject(new Error('dropped'))) };
}

test('what is being opened is not dropped for fresh data, and has some of its own', async () => {
	expect(await reload()).toBe(true);
	await reloadNow('mods');
	expect(asked.splice(0)).toEqual([null, 'mods']);

	const plan = opening();
	const waiting = reloadNow();
	await Promise.resolve();
	expect(asked).toEqual([]);
	page.url = new URL('http://x/admin/mods/plan');
	plan.open();
	await waiting;
	expect(asked).toEqual([]);

	// Another search on the same page asks for less than all.
	const search = opening();
	const late = reloadNow('plan');
	search.open();
	await late;
	expect(asked.splice(0)).toEqual(['plan']);

	const elsewhere = opening();
	const after = reloadNow();
	elsewhere.drop();
	await after;
	expect(asked.splice(0)).toEqual([null]);
});

test('without an answer the page stays as it is, which the router would leave', async () => {
	dashboard.answers = false;
	expect(await reload()).toBe(false);
	expect(asked).toEqual([]);
	dashboard.answers = true;
	expect(await reload('mods')).toBe(true);
	expect(asked).toEqual(['mods']);
	asked.length = 0;
});
