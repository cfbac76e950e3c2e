import { expect, test } from 'vitest';
import { fakeBrowser } from '../../../../tests/fakes/browser.ts';
import { Live } from './live.svelte.ts';
import { Reach } from './reach.svelte.ts';
import { Queries } from '../queries.svelte.ts';

function setup() {
	const tab = fakeBrowser();
	const reach = new Reach(tab.env);
	const stop = reach.start();
	const state = { up: false };
	tab.answer(() => {
		if (!state.up) throw new TypeError('Failed to fetch');
		return Response.json({ ok: true });
	});
	return { tab, reach, state, stop };
}

test('a refused press is shown until the dashboard answers again, which is tried less and less often', async () => {
	const { tab, reach, state, stop } = setup();
	expect(await reach.ask('link')).toBe(false);
	expect([reach.refused, reach.doubtful]).toEqual(['link', true]);
	expect(await reach.ask('form')).toBe(false);
	expect(reach.refused).toBe('form');
	await tab.advance(60_000);
	const asked = tab.requests.length;
	expect(asked).toBeGreaterThan(4);
	expect(asked).toBeLessThan(12);
	expect(new Set(tab.requests)).toEqual(new Set(['/healthz']));
	state.up = true;
	await tab.advance(15_000);
	expect([reach.refused, reach.doubtful, tab.timers]).toEqual([null, false, 0]);
	expect(await reach.ask('form')).toBe(true);
	stop();
	expect(tab.watchers).toBe(0);
});

test('a refused press is no longer shown as soon as the stream works again', async () => {
	const { tab, reach, state, stop } = setup();
	reach.lost = 'The stream is lost.';
	for (let i = 0; i < 6; i++) await reach.ask('link');
	state.up = true;
	reach.lost = null;
	await tab.advance(0);
	expect(reach.refused).toBeNull();
	stop();
});

test('a proxy’s error does not count as an answer, and when the network returns it is tried at once', async () => {
	const { tab, reach } = setup();
	tab.answer(() => new Response('Bad Gateway', { status: 502 }));
	expect(await reach.ask('form')).toBe(false);
	tab.answer(() => Response.json({ ok: true }));
	tab.connect(true);
	await tab.advance(0);
	expect(reach.refused).toBeNull();
});

test('a stream that broke or went quiet raises doubt before its loss is announced', async () => {
	const { tab, reach } = setup();
	const live = new Live(new Queries(tab.env), tab.env);
	const stop = live.start();
	const undoubt = reach.doubtWhen(() => live.doubtful);
	expect(reach.doubtful).toBe(false);
	tab.source.emit('open');
	tab.source.emit('heartbeat', { at: 'now' });
	expect(reach.doubtful).toBe(false);
	await tab.advance(9000);
	expect([reach.doubtful, live.connected]).toEqual([true, true]);
	tab.source.emit('heartbeat', { at: 'now' });
	expect(reach.doubtful).toBe(false);
	tab.source.break();
	expect([reach.doubtful, live.connected]).toEqual([true, true]);
	tab.source.emit('open');
	expect(reach.doubtful).toBe(false);
	tab.connect(false);
	expect(reach.doubtful).toBe(true);
	undoubt();
	stop();
});

test('who tries now is answered at once, and the stream is connected anew only then', async () => {
	const { tab, reach, state, stop } = setup();
	const live = new Live(new Queries(tab.env), tab.env);
	reach.reconnect = () => live.retry();
	const end = live.start();
	tab.source.refuse();
	await tab.advance(0);
	const trying = reach.retry();
	expect(reach.trying).toBe(true);
	await trying;
	expect([reach.trying, tab.sources.length]).toEqual([false, 1]);
	state.up = true;
	await reach.retry();
	expect(tab.sources).toHaveLength(2);
	end();
	stop();
	await reach.retry();
	expect(tab.sources).toHaveLength(2);
});

test('a stream waiting to reconnect reconnects at once when the device is back online', async () => {
	const { tab } = setup();
	const stop = new Live(new Queries(tab.env), tab.env).start();
	tab.source.refuse();
	await tab.advance(0);
	expect(tab.sources).toHaveLength(1);
	tab.connect(true);
	expect(tab.sources).toHaveLength(2);
	tab.source.emit('open');
	tab.connect(true);
	expect(tab.sources).toHaveLength(2);
	stop();
});

test('a device without a network is offline only while its dashboard does not answer either', async () => {
	const { tab, reach, state, stop } = setup();
	const words = 'You are offline. What you see may be old.';
	state.up = true;
	tab.connect(false);
	await tab.advance(0);
	expect(reach.trouble).toBeNull();
	state.up = false;
	tab.connect(false);
	await tab.advance(0);
	expect(reach.trouble).toBe(words);
	// Back where the device has no other network than itself.
	reach.lost = 'The stream is lost.';
	expect(reach.trouble).toBe(words);
	reach.lost = null;
	expect(reach.trouble).toBeNull();
	tab.connect(false);
	await tab.advance(0);
	expect(reach.trouble).toBe(words);
	tab.connect(true);
	expect(reach.trouble).toBeNull();
	// On a page without a stream nothing else tells that it answers again.
	tab.connect(false);
	await tab.advance(0);
	expect(reach.trouble).toBe(words);
	state.up = true;
	await tab.advance(15_000);
	expect(reach.trouble).toBeNull();
	stop();
});

test('a page that comes without a network says so, but not one of a dashboard that answers', async () => {
	for (const up of [false, true]) {
		const tab = fakeBrowser();
		tab.state.online = false;
		tab.answer(() => new Response(null, { status: up ? 200 : 502 }));
		const reach = new Reach(tab.env);
		const stop = reach.start();
		await tab.advance(0);
		expect(reach.trouble === null).toBe(up);
		stop();
	}
});
