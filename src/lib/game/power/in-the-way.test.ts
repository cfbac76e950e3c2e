import { expect, test, vi } from 'vitest';
import { render } from 'svelte/server';
import type { Failure, Submit } from '$lib/client/enhance.svelte.ts';
import type { Queries } from '$lib/client/queries.svelte.ts';
import type { OperationRow } from '$lib/schemas/operation';
import { InTheWay } from './in-the-way.svelte.ts';
import Refusal from './Refusal.svelte';

vi.mock('$app/forms', () => ({ enhance: () => {} }));
vi.mock('$lib/client/toasts.svelte.ts', () => ({ getToasts: () => ({}) }));

const ID = '20260102T030405123Z-1a2b';
const restart = {
	...({ id: ID, kind: 'restart', subject: null, by: 'ada', state: 'running' } as const),
	...{ countsDown: true, cancellable: true }
} as OperationRow;

function between(rows: OperationRow[], failure: Failure | null = null, any = false) {
	const queries = { read: () => rows } as unknown as Queries;
	return new InTheWay(queries, { busy: false, failure } as Submit, { any });
}
const said = (way: InTheWay) => render(Refusal, { props: { way } }).body;

test('what is in progress stands beside the button, named, with the way to it and out of it', () => {
	const way = between([restart]);
	expect(way.operation).toBe(restart);
	const words = said(way);
	expect(words).toContain('The server is about to restart. Wait for it, or cancel it.');
	expect(words).toContain('Restart server</a>, by ada');
	expect(words).toContain(`href="/admin/operations/${ID}"`);
	expect(words).toContain(`action="/admin/operations/${ID}?/cancel"`);
	expect(words).toContain('role="status"');
});

test('a press in vain sends nothing, and is answered', () => {
	const way = between([restart]);
	let sent = true;
	way.button.onclick({ preventDefault: () => (sent = false) } as unknown as MouseEvent);
	expect(sent).toBe(false);
	expect(said(way)).toContain('role="alert"');
	const free = between([]);
	free.button.onclick({ preventDefault: () => (sent = true) } as unknown as MouseEvent);
	expect(sent).toBe(false);
	expect(said(free)).not.toContain('<p');
});

test('a change of mods on a copy is in the way of another one, not of a restore', () => {
	const trial = {
		...restart,
		kind: 'update',
		countsDown: false,
		leavesServer: true
	} as OperationRow;
	expect(between([trial]).operation).toBeNull();
	expect(between([trial], null, true).operation).toBe(trial);
});

test('what the server refused is said, until what it named is over', () => {
	const refused = { message: 'The server is being restarted.', issues: [], values: {} };
	expect(said(between([], refused))).toContain(refused.message);
	expect(said(between([], refused))).toContain('role="alert"');
	const named = { ...refused, operation: ID };
	const over = { ...restart, state: 'succeeded' } as OperationRow;
	expect(said(between([over], named))).not.toContain(refused.message);
});
