import { expect, test, vi } from 'vitest';
import { render } from 'svelte/server';
import type { OperationRow } from '$lib/schemas/operation';
import CountdownLine from './CountdownLine.svelte';

vi.mock('$lib/client/queries.svelte.ts', () => ({
	getQueries: () => ({ read: () => undefined })
}));

const counting = {
	...({ id: '20260102T030405123Z-1a2b', kind: 'restart', state: 'running' } as const),
	...{ countsDown: true, countsDownTo: '2026-01-02T03:05:05.123Z' }
} as OperationRow;
const said = (operation: OperationRow) =>
	render(CountdownLine, { props: { operations: [operation] } })
		.body.replaceAll(/<!--.*?-->|<[^>]*>/g, '')
		.trim();

test('before the script runs, a countdown is told by its time of day', () => {
	expect(said(counting)).toBe('Restarts at 03:05:05 UTC');
	expect(said({ ...counting, kind: 'stop' })).toBe('Stops at 03:05:05 UTC');
	expect(said({ ...counting, kind: 'update', subject: '5 mods' })).toBe(
		'Restarts at 03:05:05 UTC: Update 5 mods'
	);
});

test('nothing is told when it has ended, or has been cancelled', () => {
	expect(said({ ...counting, countsDown: false })).toBe('');
	expect(said({ ...counting, state: 'cancelled' })).toBe('');
});
