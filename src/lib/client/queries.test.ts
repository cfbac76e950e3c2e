import { expect, test } from 'vitest';
import { fakeBrowser } from '../../../tests/fakes/browser.ts';
import { settle } from '../../../tests/fakes/manual-clock.ts';
import { Queries } from './queries.svelte.ts';

function setup() {
	const tab = fakeBrowser();
	return { tab, queries: new Queries(tab.env) };
}
const STATUS = { url: '/api/status', pollMs: 60_000 };

test('loaded data is readable at once, and the same object again does not undo later changes', () => {
	const { queries } = setup();
	expect(queries.read(['status'])).toBe(undefined);
	const loaded = { state: 'stopped' };
	queries.seed(['status'], loaded);
	queries.merge(['status'], () => ({ state: 'running' }));
	queries.seed(['status'], loaded);
	queries.seed(['status'], undefined);
	expect(queries.read(['status'])).toEqual({ state: 'running' });
	queries.seed(['status'], { state: 'stopped' });
	expect(queries.read(['status'])).toEqual({ state: 'stopped' });
});

test('polls when nothing newer came, never twice at once, and not after it was stopped', async () => {
	const { tab, queries } = setup();
	let open = 0;
	let most = 0;
	tab.answer(async () => {
		most = Math.max(most, ++open);
		await settle();
		open--;
		return Response.json({ n: tab.requests.length });
	});
	queries.seed(['status'], { n: 0 });
	queries.define(['status'], STATUS);
	await tab.advance(300_000);
	expect(tab.requests).toEqual([]);
	const stop = queries.start();
	await tab.advance(0);
	expect(tab.requests).toEqual(['/api/status']);
	expect(queries.read(['status'])).toEqual({ n: 1 });
	for (let i = 0; i < 24; i++) {
		await tab.advance(5000);
		queries.merge(['status'], () => ({ n: 'stream' }));
	}
	expect(tab.requests).toHaveLength(1);
	await tab.advance(120_000);
	expect(tab.requests).toHaveLength(3);
	expect(most).toBe(1);
	stop();
	await tab.advance(300_000);
	expect(tab.requests).toHaveLength(3);
	expect(tab.timers).toBe(0);
	expect(tab.watchers).toBe(0);
});

test('a hidden page does not poll, and refetches at once when it becomes visible', async () => {
	const { tab, queries } = setup();
	queries.seed(['status'], {});
	queries.define(['status'], STATUS);
	queries.start();
	tab.show(false);
	await tab.advance(300_000);
	expect(tab.requests).toEqual([]);
	tab.show(true);
	await tab.advance(0);
	expect(tab.requests).toHaveLength(1);
});

test('a page that unmounts stops its own query and no other', async () => {
	const { tab, queries } = setup();
	queries.start();
	const first = queries.define(['status'], { ...STATUS });
	const second = queries.define(['status'], { ...STATUS });
	first();
	await tab.advance(60_000);
	expect(tab.requests.length).toBeGreaterThan(0);
	const before = tab.requests.length;
	second();
	await tab.advance(300_000);
	expect(tab.requests).toHaveLength(before);
	expect(tab.timers).toBe(0);
});

test('refetch fetches every key with the prefix, and picks the wanted part', async () => {
	const { tab, queries } = setup();
	tab.answer((url) => Response.json({ players: [url] }));
	const pick = ({ players }: { players: string[] }) => players;
	queries.define(['players'], { url: '/a', pick });
	queries.define(['players', 'ana'], { url: '/b', pick });
	queries.define(['chat'], { url: '/c' });
	await queries.refetch(['players']);
	expect(tab.requests).toEqual(['/a', '/b']);
	expect(queries.read(['players', 'ana'])).toEqual(['/b']);
	await queries.refetch();
	expect(tab.requests).toHaveLength(5);
});

test('an optimistic change shows at once and is reverted when it fails', () => {
	const { queries } = setup();
	queries.seed(['ops'], ['ana']);
	const back = queries.set<string[]>(['ops'], (ops = []) => [...ops, 'bo']);
	expect(queries.read(['ops'])).toEqual(['ana', 'bo']);
	back();
	expect(queries.read(['ops'])).toEqual(['ana']);
});

test('reverting does not undo what the server has sent since, but refetches it', async () => {
	const { tab, queries } = setup();
	tab.answer(() => Response.json(['from the server']));
	queries.define(['ops'], { url: '/ops' });
	queries.seed(['ops'], ['ana']);
	const back = queries.set<string[]>(['ops'], (ops = []) => [...ops, 'bo']);
	queries.merge<string[]>(['ops'], () => ['ana', 'cy']);
	back();
	expect(queries.read(['ops'])).toEqual(['ana', 'cy']);
	await settle();
	expect(queries.read(['ops'])).toEqual(['from the server']);
});

test('an answer requested before a change cannot undo the change', async () => {
	const { tab, queries } = setup();
	const answers = [Promise.withResolvers<Response>(), Promise.withResolvers<Response>()];
	tab.answer(() => answers[tab.requests.length - 1]!.promise);
	queries.define(['ops'], { url: '/ops' });
	const asked = queries.refetch(['ops']);
	queries.set(['ops'], () => ['optimistic']);
	answers[0]!.resolve(Response.json(['old']));
	await settle();
	expect(queries.read(['ops'])).toEqual(['optimistic']);
	answers[1]!.resolve(Response.json(['new']));
	await asked;
	expect(queries.read(['ops'])).toEqual(['new']);
	expect(tab.requests).toHaveLength(2);
});

test('a refetch after a write is not satisfied by a fetch that began before it', async () => {
	const { tab, queries } = setup();
	const answers = [Promise.withResolvers<Response>(), Promise.withResolvers<Response>()];
	tab.answer(() => answers[tab.requests.length - 1]!.promise);
	queries.define(['ops'], { url: '/ops' });
	void queries.refetch(['ops']);
	await settle();
	const second = queries.refetch(['ops']);
	answers[0]!.resolve(Response.json('before'));
	answers[1]!.resolve(Response.json('after'));
	await second;
	expect(queries.read(['ops'])).toBe('after');
});

test('a load that may be older than what the server has said since is asked for again, once', async () => {
	const { tab, queries } = setup();
	tab.answer(() => Response.json('now'));
	queries.define(['backups'], { url: '/backups' });
	queries.merge(['backups'], () => 'told');
	await tab.advance(5000);
	queries.seed(['backups'], 'asked before');
	await settle();
	expect(queries.read(['backups'])).toBe('now');
	expect(tab.requests).toEqual(['/backups']);
	// Long after the last word of the server, a load is as new as can be.
	await tab.advance(20_000);
	queries.seed(['backups'], 'asked later');
	await settle();
	expect(queries.read(['backups'])).toBe('asked later');
	expect(tab.requests).toHaveLength(1);
});

test('a load is doubted as well when the word came before its page was there', async () => {
	const { tab, queries } = setup();
	tab.answer(() => Response.json('now'));
	queries.define(['backups'], { url: '/backups' })();
	await queries.refetch(['backups']);
	expect(tab.requests).toEqual([]);
	queries.seed(['backups'], 'asked before');
	queries.define(['backups'], { url: '/backups' });
	await settle();
	expect(queries.read(['backups'])).toBe('now');
});

test('a failure keeps the data, gives the reason, and does not poll faster', async () => {
	const { tab, queries } = setup();
	queries.seed(['status'], { state: 'running' });
	queries.define(['status'], STATUS);
	queries.start();
	tab.answer(() => Response.json({ detail: 'Busy.' }, { status: 503 }));
	await tab.advance(60_000);
	expect(queries.error(['status'])).toBe('Busy.');
	expect(queries.read(['status'])).toEqual({ state: 'running' });
	tab.answer(() => Promise.reject(new TypeError('Failed to fetch')));
	await tab.advance(59_999);
	expect(tab.requests).toHaveLength(1);
	await tab.advance(1);
	expect(queries.error(['status'])).toBe('The dashboard does not answer.');
	tab.answer(() => new Response('<html>', { status: 502 }));
	await queries.refetch();
	expect(queries.error(['status'])).not.toBe(null);
	tab.answer(() => Response.json({ state: 'stopped' }));
	await queries.refetch();
	expect(queries.error(['status'])).toBe(null);
	expect(queries.fetching(['status'])).toBe(false);
	expect(tab.state.signIns).toBe(0);
});

test('an expired session leads to the sign-in page', async () => {
	const { tab, queries } = setup();
	queries.define(['operations'], { url: '/api/operations' });
	tab.answer(() => Response.json({ detail: 'Log in.' }, { status: 401 }));
	await queries.refetch();
	expect(tab.state.signIns).toBe(1);
});
