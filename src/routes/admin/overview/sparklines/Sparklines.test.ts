import { expect, test } from 'vitest';
import { render } from 'svelte/server';
import type { ComponentProps } from 'svelte';
import Sparklines from './Sparklines.svelte';

type Props = ComponentProps<typeof Sparklines>;

test('the most of the last hours is no less than what stands beside it', () => {
	const props = {
		entries: { ramBytes: [null], cpuPercent: [12], players: [4, 2], tps: [20] },
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
