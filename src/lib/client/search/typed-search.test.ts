import { expect, test, vi } from 'vitest';
import { TypedSearch } from './typed-search.svelte.ts';

const { page, world } = vi.hoisted(() => ({
	page: { url: new URL('http://x/admin/mods') },
	world: { given: [] as string[], arrived: () => {} }
}));
vi.mock('$app/navigation', () => ({
	goto: async (address: string) => void world.given.push(address),
	afterNavigate: (arrived: () => void) => (world.arrived = arrived),
	beforeNavigate() {}
}));
vi.mock('$app/state', () => ({ page, navigating: { to: null } }));
vi.mock('svelte', async (original) => ({ ...(await original<object>()), onDestroy() {} }));

test('what was typed before outlives the page’s own arrival, and comes to stand in the address', () => {
	vi.useFakeTimers();
	page.url = new URL('http://x/admin/mods');
	const typed: TypedSearch = new TypedSearch(() => `/admin/mods?q=${typed.text}`, 'lithium');
	world.arrived();
	expect(typed.text).toBe('lithium');
	vi.advanceTimersByTime(150);
	expect(world.given.splice(0)).toEqual(['/admin/mods?q=lithium']);
	vi.useRealTimers();
});

test('an address that comes late changes nothing of what was typed since', () => {
	vi.useFakeTimers();
	const typed: TypedSearch = new TypedSearch(() => `/admin/mods?q=${typed.text}`);
	const type = (text: string) => {
		typed.text = text;
		vi.advanceTimersByTime(150);
	};
	/** Of those that were asked for, only the newest comes. */
	const arrive = () => {
		page.url = new URL(world.given.splice(0).at(-1)!, page.url);
		world.arrived();
	};
	type('nothing is called this');
	type('');
	typed.text = 'lithium';
	arrive();
	expect(typed.text).toBe('lithium');
	vi.advanceTimersByTime(150);
	expect(world.given).toEqual(['/admin/mods?q=lithium']);
	arrive();

	// It is there already.
	type(' lithium');
	expect(world.given).toEqual([]);

	// By a link on the same page.
	page.url = new URL('http://x/admin/mods?q=fabric');
	world.arrived();
	expect(typed.text).toBe('fabric');
	vi.useRealTimers();
});
