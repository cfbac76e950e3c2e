import { expect, test } from 'vitest';
import { render } from 'svelte/server';
import type { ServerState } from '$lib/schemas/status';
import OnlineNow from './OnlineNow.svelte';

const ADA = { name: 'Ada', uuid: null, since: null };
const said = (state: ServerState, count: number | null, online = count ? [ADA] : []) =>
	render(OnlineNow, { props: { online, count, state } }).body;

test('players of a stopping server are shown as long as it says who is there', () => {
	expect(said('stopping', 1)).toContain('Ada');
	expect(said('stopping', 0)).toContain('Nobody is playing.');
	expect(said('stopping', null)).toContain('Nobody can play: the server is stopping.');
	for (const state of ['stopped', 'crashed'] as const)
		expect(said(state, null)).toContain('Nobody can play until it is started.');
	expect(said('starting', null)).toContain('Nobody can play until it is ready.');
});

test('the line is never empty: players without names are said to be unknown', () => {
	expect(said('running', 4, [])).toContain('Who plays is not known.');
});

test('the number of all is said only where names are left out', () => {
	expect(said('running', 1)).not.toContain('All ');
	expect(said('running', 2)).not.toContain('All ');
	expect(said('running', 3)).toMatch(
		/class="clip below-wide below-medium below-small[^"]*".*All 3 players/s
	);
	expect(said('running', 6)).toMatch(
		/class="clip below-wide(?! below-medium)[^"]*".*All 6 players/s
	);
	expect(said('running', 9)).toMatch(/class="clip(?! below-wide)[^"]*"><a[^>]*>All 9 players/);
});
