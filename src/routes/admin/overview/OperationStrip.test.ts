import { expect, test } from 'vitest';
import { render } from 'svelte/server';
import type { OperationRow } from '$lib/schemas/operation';
import OperationStrip from './OperationStrip.svelte';

const WHY = 'It did not stay up: it was ready for 3 s.';
const row: OperationRow = {
	...({ id: '20260102T030405123Z-1a2b', kind: 'update', subject: '5 mods', by: 'ada' } as const),
	...{ state: 'rolled-back', cause: { message: WHY, log: [], mods: [] } },
	...{ startedAt: '2026-01-02T03:04:05.123Z', finishedAt: '2026-01-02T03:04:20.123Z' }
};
const said = (one: OperationRow, told: boolean) =>
	render(OperationStrip, { props: { row: one, told } }).body;

test('how an operation ended is said once: the word beside the title, the reason below it', () => {
	expect(said(row, false)).toContain('rolled back');
	expect(said(row, false)).toContain(`>${WHY}<`);
	expect(said(row, false)).not.toContain('Rolled back: ');
});

test('what the list below says is not repeated', () => {
	expect(said(row, true)).not.toContain(WHY);
	expect(said(row, true)).toContain('by ada, took 15 s');
});

test('a change that stays is said to be done, and what it did not help', () => {
	const kept = 'Removed Deco. The server still does not start, for the same reason as before.';
	const cause = { message: `${kept.slice(0, -1)}: ${WHY}`, log: [], mods: [] };
	const change: OperationRow = { ...row, kind: 'remove', state: 'failed', kept, cause };
	expect(said(change, true)).toContain(kept);
	expect(said(change, true)).not.toContain(WHY);
	expect(said(change, false)).toContain(WHY);
});

test('what was cancelled is not told for as long as it is the last one', () => {
	const cancelled: OperationRow = { ...row, state: 'cancelled', cause: null };
	expect(said(cancelled, false)).toContain('cancelled');
	expect(said(cancelled, false)).toContain('>by ada, took 15 s<');
	expect(said(cancelled, false)).not.toContain('nothing was changed');
});

test('a search says whom it found', () => {
	const culprits = [{ fileName: 'q.jar', title: 'Quiet Villagers', version: '3.0.0' }];
	const result = { culprits, together: false, rest: [] };
	const search: OperationRow = {
		...row,
		...{ kind: 'culprit', state: 'succeeded', cause: null, result }
	};
	expect(said(search, false)).toContain('took 15 s · Quiet Villagers 3.0.0 does not start here.');
	expect(said(search, true)).not.toContain('Quiet Villagers');
});
