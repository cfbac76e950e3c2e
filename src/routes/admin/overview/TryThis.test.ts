import { expect, test, vi } from 'vitest';
import { render } from 'svelte/server';
import type { OperationRow } from '$lib/schemas/operation';
import type { Tour } from '$lib/schemas/overview/overview';
import TryThis from './TryThis.svelte';

vi.mock('$lib/client/toasts.svelte.ts', () => ({ getToasts: () => ({}) }));

const NEW: Tour = {
	...{ search: null, named: null, updated: false, left: 4 },
	...{ rolledBack: null, upgraded: false, newer: false }
};
const ALL_IN = { named: 'x', updated: true, left: 0 };
const said = (
	tour: Partial<Tour> = {},
	isDown = false,
	isStarting = false,
	changing?: OperationRow
) => render(TryThis, { props: { tour: { ...NEW, ...tour }, isDown, isStarting, changing } }).body;
const ticks = (body: string) => body.match(/>(Done|To do)</g)!.map((one) => one.slice(1, -1));

test('what is promised holds with the server up and down, and leaves no empty line', () => {
	for (const body of [said(), said({ newer: true })]) {
		expect(body).not.toMatch(/on a copy|past a copy|its own start/);
		expect(body.match(/<p class="muted break/g)).toHaveLength(2);
	}
});

test('of a server that is down copies are promised once it runs: it is to be started first', () => {
	const down = said({}, true);
	expect(down).toContain('Copies of the running server show which one');
	expect(down).toContain('action="/admin?/start"');
	expect(down).not.toContain('Preview the updates');
	for (const body of [said(), said({ named: 'x' }, true), said({ search: 'x' }, true)])
		expect(body).not.toContain('action="/admin?/start"');
});

test('the next step has a button, which leads on to what is left of it, and the others are links', () => {
	const label = (tour: Partial<Tour>) =>
		/>(Preview the updates|Preview the others|See which[^<]*|Go back)</.exec(said(tour))?.[1];
	expect(label({})).toBe('Preview the updates');
	expect(label({ search: 'x' })).toBe('See which mod it is');
	expect(label({ named: 'x' })).toBe('Preview the others');
	expect(label({ named: 'x', newer: true })).toBe('Go back');
	for (const words of ['project=WWJaijYZ"', 'href="/admin/server/upgrade"', '="Copy lines"'])
		expect(said()).toContain(words);
	const first = said(ALL_IN);
	expect(first).toContain('href="/admin/operations/x"');
	expect(first).toContain('>Preview the bad mod<');
	expect(said({ ...ALL_IN, rolledBack: 'y' })).toContain('>Show the versions<');
});

test('what was reached is ticked off, as soon as it was', () => {
	expect(ticks(said())).toEqual(['To do', 'To do', 'To do']);
	expect(ticks(said({ named: 'x' }))).toEqual(['To do', 'To do', 'To do']);
	expect(ticks(said({ named: 'x', updated: true, left: 0 }))).toEqual(['Done', 'To do', 'To do']);
	expect(ticks(said({ rolledBack: 'x', upgraded: true }))).toEqual(['To do', 'Done', 'Done']);
});

test('the updates are not ticked off while some of them are still waiting', () => {
	const some = said({ named: 'x', updated: true, left: 2 });
	expect(ticks(some)[0]).toBe('To do');
	expect(some).toContain('2 more can go in.');
	expect(some).toContain('>Preview the rest<');
	expect(said({ named: 'x', updated: true, left: 1 })).toContain('One more can go in.');
	const unsure = said({ named: 'x', updated: true, left: null });
	expect(ticks(unsure)[0]).toBe('To do');
	expect(unsure).toContain('The others can go in.');
});

test('what is promised does not depend on how many updates are left', () => {
	for (const body of [said(), said({ left: 3 }), said({ named: 'x' }), said({ newer: true })])
		expect(body).not.toMatch(/five|four/);
});

test('only the mods are promised to be rolled back, and once they were, that can be looked at', () => {
	expect(said(ALL_IN)).toMatch(/The mods are rolled back automatically, within two minutes\./);
	expect(said(ALL_IN)).not.toMatch(/everything is rolled back/i);
	const done = said({ rolledBack: 'abc' });
	expect(done).toContain('href="/admin/operations/abc"');
	expect(done).not.toContain('Preview the bad mod');
});

test('while the server starts nothing can be previewed yet, and what comes later keeps its link', () => {
	const starting = said({}, false, true);
	expect(starting).toContain('The server is starting…');
	expect(starting).not.toContain('Preview the updates');
	expect(said({ updated: true, named: 'one', left: 0 }, false, true)).toContain(
		'Preview the bad mod'
	);
});

test('while mods are being changed the next step leads there, and to no plan that would be refused', () => {
	for (const tour of [{}, ALL_IN, { ...ALL_IN, rolledBack: 'y' }]) {
		const body = said(tour, false, true, { id: 'now', kind: 'install' } as OperationRow);
		expect(body).toMatch(/href="\/admin\/operations\/now"[^]*See how it goes/);
		expect(body).not.toMatch(/>Preview the|>Show the versions|The server is starting/);
	}
});
