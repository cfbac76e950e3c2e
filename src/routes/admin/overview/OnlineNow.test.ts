import { expect, test } from 'vitest';
import { render } from 'svelte/server';
import type { ServerState } from '$lib/schemas/status';
import OnlineNow from './OnlineNow.svelte';

const ADA = { name: 'Ada', uuid: null, since: null };
const said = (state: ServerState, count: number | null) =>
	render(OnlineNow, { props: { online: count ? [ADA] : [], count, state } }).body;

test('players of a stopping server are shown as long as it says who is there', () => {
	expect(said('stopping', 1)).toContain('Ada');
	expect(said('stopping', 0)).toContain('Nobody is playing.');
	for (const state of ['stopping', 'stopped', 'crashed', 'starting'] as const)
		expect(said(state, null)).toContain('Nobody can play');
	expect(said('running', 1)).toContain('All 1 player');
});
