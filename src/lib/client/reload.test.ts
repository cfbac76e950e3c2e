import { expect, test, vi } from 'vitest';
import { reload } from './reload.svelte.ts';

const { asked, page, navigating } = vi.hoisted(() => ({
	asked: [] as (string | null)[],
	page: { url: new URL('http://x/admin/mods') },
	navigating: { complete: null as Promise<void> | null }
}));
vi.mock('$app/navigation', () => ({
	invalidate: async (key: string) => void asked.push(key),
	invalidateAll: async () => void asked.push(null)
}));
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
	await reload();
	await reload('mods');
	expect(asked.splice(0)).toEqual([null, 'mods']);

	const plan = opening();
	const waiting = reload();
	await Promise.resolve();
	expect(asked).toEqual([]);
	page.url = new URL('http://x/admin/mods/plan');
	plan.open();
	await waiting;
	expect(asked).toEqual([]);

	// Another search on the same page asks for less than all.
	const search = opening();
	const late = reload('plan');
	search.open();
	await late;
	expect(asked.splice(0)).toEqual(['plan']);

	const elsewhere = opening();
	const after = reload();
	elsewhere.drop();
	await after;
	expect(asked).toEqual([null]);
});
