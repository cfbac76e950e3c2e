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
	expect(said(long)).toContain(`title="${long} · by ada · took\u00a015\u00a0s"`);
	expect(said('It crashed at once.')).toContain(
		'>It crashed at once. · by ada · took\u00a015\u00a0s<'
	);
});

test('what has become of a start stands behind who began it, and leads to what helps', () => {
	const operation: Row = { ...row, state: 'succeeded', cause: null };
	const body = (props: { operation: Row; status?: Status; help?: string }) =>
		render(OperationRow, { props })
			.body.replace(/<!--.*?-->/g, '')
			.replace(/\s+/g, ' ');
	const crashed = { ...operation, crashed: { at: '2026-01-02T03:04:30.000Z' } };
	expect(body({ operation: crashed, help: '/admin' })).toMatch(
		/by ada · took 15 s<\/span> · <span[^>]*>the server crashed 10 s later</
	);
	expect(body({ operation: crashed })).toContain('Succeeded, then crashed');
	const silentSince = new Date().toISOString();
	const status = {
		...{ state: 'unknown', hanging: true, silentSince },
		startedAt: '2026-01-02T03:04:06.000Z'
	} as Status;
	const hangs = 'the server stopped responding just now';
	expect(body({ operation, status, help: '/admin' })).toMatch(
		new RegExp(`took 15 s</span> · <span[^>]*><a href="/admin"[^>]*>${hangs}</a>`)
	);
	expect(body({ operation, status })).toMatch(new RegExp(`· <span[^>]*>${hangs}`));
});
