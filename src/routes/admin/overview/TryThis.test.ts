import { expect, test } from 'vitest';
import { render } from 'svelte/server';
import type { Tour } from '$lib/schemas/overview/overview';
import TryThis from './TryThis.svelte';

const NEW: Tour = {
	...{ search: null, named: null, updated: false, left: 5 },
	...{ rolledBack: false, upgraded: false, newer: false }
};
const said = (tour: Partial<Tour> = {}) =>
	render(TryThis, { props: { tour: { ...NEW, ...tour } } }).body;
const ticks = (body: string) => body.match(/>(Done|To do)</g)!.map((one) => one.slice(1, -1));

test('what is promised holds with the server up and down, and leaves no empty line', () => {
	for (const body of [said(), said({ newer: true })]) {
		expect(body).not.toMatch(/on a copy|past a copy|its own start/);
		expect(body.match(/<p class="muted break/g)).toHaveLength(4);
	}
});

test('every step has a button, which leads on to what is left of it', () => {
	const label = (tour: Partial<Tour>) =>
		/>(Preview the updates|Preview the others|See which[^<]*|Go back)</.exec(said(tour))?.[1];
	expect(label({})).toBe('Preview the updates');
	expect(label({ search: 'x' })).toBe('See which mod it is');
	expect(label({ named: 'x' })).toBe('Preview the others');
	expect(label({ named: 'x', newer: true })).toBe('Go back');
	expect(label({ named: 'x', updated: true, newer: true })).toBe('See which mod it was');
	for (const words of ['Preview the bad mod', 'Show the versions', 'aria-label="Copy lines"'])
		expect(said()).toContain(words);
});

test('what was reached is ticked off, as soon as it was', () => {
	expect(ticks(said())).toEqual(['To do', 'To do', 'To do']);
	expect(ticks(said({ named: 'x' }))).toEqual(['To do', 'To do', 'To do']);
	expect(ticks(said({ named: 'x', updated: true, left: 0 }))).toEqual(['Done', 'To do', 'To do']);
	expect(ticks(said({ rolledBack: true, upgraded: true }))).toEqual(['To do', 'Done', 'Done']);
});

test('the updates are not ticked off while some of them are still waiting', () => {
	const some = said({ named: 'x', updated: true, left: 2 });
	expect(ticks(some)[0]).toBe('To do');
	expect(some).toContain('Of the other four, two are in.');
	expect(some).toContain('>Preview the rest<');
	expect(ticks(said({ named: 'x', updated: true, left: null }))[0]).toBe('To do');
});
