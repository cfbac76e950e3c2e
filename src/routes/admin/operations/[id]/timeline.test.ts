import { expect, test } from 'vitest';
import { render } from 'svelte/server';
import type { OperationLog, Step } from '$lib/schemas/operation';
import TimelineStep from '$lib/game/TimelineStep.svelte';

const AT = '2026-01-02T03:04:05.000Z';
const said = (facts: Partial<Step>, log: OperationLog | null = null) => {
	const step: Step = {
		...{ id: 'verify', label: 'Start and watch', status: 'running', detail: null, progress: null },
		...{ expected: { usualMs: null, limitMs: 30_000 }, at: AT },
		...facts
	};
	return render(TimelineStep, { props: { step, since: AT, log } }).body;
};

test('a step in progress says when it will give up, not that it has', () => {
	expect(said({})).toContain('Gives up after 30 s.');
	const both = said({ expected: { usualMs: 5000, limitMs: 30_000 } });
	expect(both).toContain('Usually 5 s, gives up after 30 s.');
	expect(said({ status: 'done' })).not.toContain('up after');
});

test('a step took until it ended, whatever became of it later', () => {
	const later = (s: number) => new Date(Date.parse(AT) + s * 1000).toISOString();
	expect(said({ status: 'undone', endedAt: later(4), at: later(90) })).toMatch(/>4 s</);
	expect(said({ status: 'done', at: later(90) })).toMatch(/>90 s<|>1 min/);
});

test('what the server writes has a box once it writes something', () => {
	const label = 'What the server writes';
	expect(said({}, { step: 'verify', lines: ['Loading'] })).toContain(label);
	expect(said({}, { step: 'verify', lines: [] })).not.toContain(label);
});
