import { expect, test } from 'vitest';
import { render } from 'svelte/server';
import type { ComponentProps } from 'svelte';
import Sparklines from './Sparklines.svelte';

type Props = ComponentProps<typeof Sparklines>;

test('the most of the last hours is no less than what stands beside it', () => {
	const props = {
		entries: {
			...{ ramBytes: [null], cpuPercent: [12], players: [4, 2], tps: [20] },
			// The values are means.
			most: { ramBytes: null, cpuPercent: 18, players: 5, tps: 20 }
		},
		now: { ramBytes: null, cpuPercent: 30 },
		status: { state: 'running', players: { online: 6 }, tps: 19 },
		hours: 6
	} as unknown as Props;
	const { body } = render(Sparklines, { props });
	const said = [...body.matchAll(/hidden[^>]*>([^<]+)</g)].map(([, words]) => words);
	expect(said).toEqual([
		'no record of the last 6 hours yet',
		...['at most 30 %', 'at most 6', 'at most 20.0']
	]);
});

test('without any measurement one line says so, and when there will be one', () => {
	const said = (state: string, tps: (number | null)[]) => {
		const props = {
			entries: { ramBytes: [null], cpuPercent: [null], players: [null, null], tps, most: {} },
			now: { ramBytes: null, cpuPercent: null },
			status: { state, players: { online: null }, tps: null },
			hours: 6
		} as unknown as Props;
		return render(Sparklines, { props }).body;
	};
	expect(said('stopped', [null])).toContain('they are taken while the server runs');
	expect(said('running', [null])).toContain('yet: one is taken every 15 seconds');
	for (const state of ['stopped', 'running']) expect(said(state, [null])).not.toContain('<svg');
});

test('a line of a few minutes is not drawn, and one line says why', () => {
	const said = (state: string, count: number) => {
		const props = {
			entries: {
				...{ ramBytes: [null], cpuPercent: [null], players: [], tps: Array(count).fill(20) },
				most: { ramBytes: null, cpuPercent: null, players: null, tps: 20 }
			},
			now: { ramBytes: null, cpuPercent: null },
			status: { state, players: { online: null }, tps: null },
			hours: 6
		} as unknown as Props;
		return render(Sparklines, { props }).body;
	};
	for (const state of ['running', 'stopped']) {
		expect(said(state, 4)).not.toContain('<svg');
		expect(said(state, 4).match(/Measured for a few minutes only/g)).toHaveLength(1);
	}
	expect(said('running', 5)).toContain('<svg');
	expect(said('running', 5)).not.toContain('Measured for');
});
