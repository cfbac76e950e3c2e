import { expect, test } from 'vitest';
import { render } from 'svelte/server';
import LosingPlayers from './LosingPlayers.svelte';

const said = (count: number) => {
	const players = Array.from({ length: count }, (_, i) => ({
		...{ uuid: `${i}`, name: `wanderer_${i}`, lastSeenAt: null, online: true }
	}));
	return render(LosingPlayers, { props: { players } }).body;
};

test('of many who lose something all are counted, a few are named, and the others are folded', () => {
	const many = said(59);
	expect(many).toContain('59 players have played since then');
	expect(many).toContain('and 54 more');
	const [named, folded] = many.split('<details');
	expect(named!.match(/wanderer_/g)).toHaveLength(5);
	expect(folded!.match(/wanderer_/g)).toHaveLength(54);
	expect(said(8)).not.toContain('<details');
});
