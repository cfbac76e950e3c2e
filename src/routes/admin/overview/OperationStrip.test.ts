import { expect, test, vi } from 'vitest';
import { render } from 'svelte/server';
import type { OperationRow } from '$lib/schemas/operation';
import OperationStrip from './OperationStrip.svelte';

vi.mock('$lib/client/stream/live.svelte.ts', () => ({ getLive: () => ({ asOf: null }) }));

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

test('a success that did not last is not told as if it had', () => {
	const crashed = { at: '2026-01-02T03:04:30.123Z' };
	const start: OperationRow = { ...row, kind: 'start', state: 'succeeded', cause: null };
	const body = said({ ...start, crashed }, false);
	expect(body).toContain('by ada, took 15 s · the server crashed 10 s later');
	expect(body.replace(/<!--.*?-->/g, '')).toContain('succeeded, then crashed <time');
	expect(said(start, false)).not.toContain('crashed');
});

test('a step in progress is told in its first sentence, which has room', () => {
	const detail = 'It may not end by itself (5 s). If it does not end, a superadmin can kill it.';
	const step = { id: 'exit', label: 'Wait', status: 'running', detail, progress: null } as const;
	const at = { at: row.startedAt };
	const stop = { ...row, kind: 'stop', state: 'running', cause: null, finishedAt: null } as const;
	const body = said({ ...stop, steps: [{ ...step, ...at }] } as OperationRow, false);
	expect(body).toContain('title="Wait: It may not end by itself (5 s)."');
	expect(body).toMatch(/>Wait: <\/span>(?:<!--.*?-->)*It may not end by itself \(5 s\)\.</);
});

test('what is put back says so wherever there is room for only one of its sentences', () => {
	const detail = 'It is ready and answers. Watching for 20 s to see that it stays up.';
	const step = { id: 'rollback', label: 'Roll the mods back', status: 'running', detail };
	const steps = [{ ...step, progress: null, at: row.startedAt }];
	const body = said({ ...row, state: 'running', finishedAt: null, steps } as OperationRow, false);
	expect(body).toContain('Rolling back: It is ready and answers.');
	// On a phone it would be left out.
	expect(body).not.toContain('class="lead');
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

test('a search says whom it found, wherever else that is told', () => {
	const culprits = [{ fileName: 'q.jar', title: 'Quiet Villagers', version: '3.0.0' }];
	const result = { culprits, together: false, rest: [] };
	const search: OperationRow = {
		...row,
		...{ kind: 'culprit', state: 'succeeded', cause: null, result }
	};
	for (const told of [false, true])
		expect(said(search, told)).toContain('>Quiet Villagers 3.0.0 does not start here · by ada,');
});
