import { expect, test } from 'vitest';
import { render } from 'svelte/server';
import type { OperationRow as Row } from '$lib/schemas/operation';
import type { Status } from '$lib/schemas/status';
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

test('a start whose server has crashed since says so before everything else, and leads to what helps', () => {
	const operation: Row = { ...row, state: 'succeeded', cause: null };
	const lastRun = { startedAt: '2026-01-02T03:04:06.000Z', endedAt: new Date().toISOString() };
	const status = { state: 'crashed', startedAt: null, lastRun } as Status;
	const body = (help?: string) =>
		render(OperationRow, { props: { operation, status, ...(help && { help }) } }).body.replace(
			/<!--.*?-->/g,
			''
		);
	expect(body('/admin')).toMatch(
		/<a href="\/admin"[^>]*>The server crashed just now<\/a> ·\u00a0</
	);
	expect(body()).not.toContain('href="/admin"');
	expect(body()).toContain('The server crashed just now ·\u00a0');
});
