import { expect, test } from 'vitest';
import { render } from 'svelte/server';
import type { Tour } from '$lib/schemas/overview/overview';
import type { ServerState } from '$lib/schemas/status';
import TryThis from './TryThis.svelte';

const NEW: Tour = {
	...{ search: null, named: null, updated: false },
	...{ rolledBack: false, upgraded: false, newer: false }
};
const said = (state: ServerState, tour: Partial<Tour> = {}) =>
	rendered(state, tour).replaceAll(/<p class="[^"]*unsaid[^"]*">[^]*?<\/p>/g, '');
const rendered = (state: ServerState, tour: Partial<Tour> = {}) =>
	render(TryThis, { props: { tour: { ...NEW, ...tour }, state } }).body;
const ticks = (body: string) => body.match(/>(Done|To do)</g)!.map((one) => one.slice(1, -1));

test('a copy is promised only where one is made', () => {
	expect(said('running')).toContain('A copy of the server finds that out');
	expect(said('running')).toContain('does not get past a copy');
	const stopped = said('stopped');
	expect(stopped).toContain('its own start shows that');
	expect(stopped).not.toMatch(/A copy of the server finds|on a copy with|past a copy/);
});

test('the words of the other state keep their room, so that nothing moves', () => {
	const words = (body: string) => body.match(/(?<=<p class="[^"]*">)[^<]*/g);
	expect(words(rendered('stopped'))).toEqual(words(rendered('running')));
	expect(said('stopped')).not.toBe(said('running'));
});

test('every step has a button, which leads on to what is left of it', () => {
	const label = (tour: Partial<Tour>) =>
		/>(Preview the updates|Preview the others|See which[^<]*|Go back)</.exec(
			said('running', tour)
		)?.[1];
	expect(label({})).toBe('Preview the updates');
	expect(label({ search: 'x' })).toBe('See which mod it is');
	expect(label({ named: 'x' })).toBe('Preview the others');
	expect(label({ named: 'x', newer: true })).toBe('Go back');
	expect(label({ named: 'x', updated: true, newer: true })).toBe('See which mod it was');
	for (const words of ['Preview the bad mod', 'Show the versions', 'aria-label="Copy lines"'])
		expect(said('running')).toContain(words);
});

test('what was reached is ticked off, as soon as it was', () => {
	expect(ticks(said('running'))).toEqual(['To do', 'To do', 'To do']);
	expect(ticks(said('stopped', { named: 'x' }))).toEqual(['Done', 'To do', 'To do']);
	expect(ticks(said('running', { rolledBack: true, upgraded: true }))).toEqual([
		'To do',
		'Done',
		'Done'
	]);
});
