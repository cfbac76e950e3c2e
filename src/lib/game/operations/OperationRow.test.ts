import { expect, test } from 'vitest';
import { render } from 'svelte/server';
import type { OperationRow as Row } from '$lib/schemas/operation';
import OperationRow from './OperationRow.svelte';

const row: Row = {
	...({ id: '20260102T030405123Z-1a2b', kind: 'start', subject: null, by: 'ada' } as const),
	...{ state: 'failed', startedAt: '2026-01-02T03:04:05.000Z' },
	finishedAt: '2026-01-02T03:04:20.000Z'
} as Row;
const said = (message: string) => {
	const cause = { message, log: [], mods: [] };
	return render(OperationRow, { props: { operation: { ...row, cause } } }).body;
};

test('a long reason has its row for itself; who it was is told beside a short one', () => {
	const long = 'The mod Quiet Villagers failed while it was being loaded by the game of today.';
	expect(said(long)).toContain(`>${long}<`);
	expect(said(long)).toContain(`title="${long} · by ada · took 15 s"`);
	expect(said('It crashed at once.')).toContain('>It crashed at once. · by ada · took 15 s<');
});
