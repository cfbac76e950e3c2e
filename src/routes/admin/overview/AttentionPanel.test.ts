import { expect, test, vi } from 'vitest';
import { render } from 'svelte/server';
import type { Attention } from '$lib/schemas/overview/attention';
import AttentionPanel from './AttentionPanel.svelte';

vi.mock('$lib/client/stream/live.svelte.ts', () => ({ getLive: () => ({ lostAt: null }) }));

const heading = (items: Attention[], isElsewhere = false) =>
	render(AttentionPanel, {
		props: {
			report: { items, crash: null, unasked: [], pending: false },
			...{ items, isElsewhere, startable: false }
		}
	}).body.match(/<h2[^>]*>([^<]*)/)?.[1];
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
