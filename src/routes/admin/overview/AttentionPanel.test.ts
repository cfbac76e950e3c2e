import { expect, test, vi } from 'vitest';
import { render } from 'svelte/server';
import type { Attention } from '$lib/schemas/overview/attention';
import type { OperationRow } from '$lib/schemas/operation';
import AttentionPanel from './AttentionPanel.svelte';

vi.mock('$lib/client/stream/live.svelte.ts', () => ({ getLive: () => ({ lostAt: null }) }));

const panel = (items: Attention[], isElsewhere: boolean, operations: OperationRow[] = []) =>
	render(AttentionPanel, {
		props: {
			report: { items, crash: null, unasked: [], pending: false },
			...{ items, operations, isElsewhere, startable: false }
		}
	}).body;
const headingOf = (body: string) => body.match(/<h2[^>]*>([^<]*)/)?.[1];
const heading = (items: Attention[], isElsewhere = false) => headingOf(panel(items, isElsewhere));
const item = (code: Attention['code']): Attention => ({
	...{ code, title: '5 updates are waiting', detail: 'Look at them.' },
	...{ advice: null, since: null, action: null, further: [] }
});

test('the heading says nothing that the list below it denies', () => {
	expect(heading([])).toBe('Nothing needs your attention');
	expect(heading([item('updates')])).toBe('Nothing urgent');
	expect(heading([item('updates')], true)).toBe('Nothing else is urgent');
	expect(heading([item('slow')])).toBe('Nothing urgent');
	expect(heading([item('updates'), item('backup-old')])).toBe('Needs attention');
	expect(heading([item('backup-old')], true)).toBe('Also needs attention');
});

test('nothing is called in order while the mods or the server are being changed', () => {
	const running = (kind: OperationRow['kind']) =>
		[{ id: 'x', kind, subject: 'Ruin Keeper', state: 'running' }] as OperationRow[];
	const body = panel([], false, running('install'));
	expect(headingOf(body)).toBe('In progress');
	expect(body).toContain('Ruin Keeper');
	expect(body).not.toContain('Everything is in order');
	for (const harmless of [[], running('backup'), [{ ...running('install')[0]!, state: 'failed' }]])
		expect(panel([], false, harmless as OperationRow[])).toContain('Everything is in order');
	expect(headingOf(panel([item('backup-old')], false, running('install')))).toBe('Needs attention');
});
