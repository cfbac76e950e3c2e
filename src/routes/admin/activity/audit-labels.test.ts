import { expect, test } from 'vitest';
import { auditLink, auditTime, auditTitle } from './audit-labels.ts';
import type { OperationState } from '$lib/schemas/operation';
import { operationVariant } from '$lib/game/labels';
import { begunBy, endOf, resultOf } from './begun.ts';

const BACKUP = '20260102T030405Z-1a2b';
const OPERATION = '20260102T030405123Z-1a2b';
const TASK = '0123456789abcdef';

test('actions are described without ids and without internal names', () => {
	expect(auditTitle({ action: 'backups.create', subject: 'before-change' })).toBe(
		'Back up: before a change'
	);
	expect(auditTitle({ action: 'backups.remove', subject: BACKUP })).toBe('Delete backup');
	expect(auditTitle({ action: 'server.stop', subject: OPERATION })).toBe('Stop server');
	expect(auditTitle({ action: 'task.run', subject: TASK })).toBe('Run task now');
	expect(auditTitle({ action: 'player.ban', subject: 'Ana' })).toBe('Ban player: Ana');
	const seen = { action: 'attention.seen' as const, subject: `operation:${OPERATION}` };
	expect([auditTitle(seen), auditLink(seen)]).toEqual([
		'Mark as seen',
		`/admin/operations/${OPERATION}`
	]);
	const crash = { action: 'attention.seen' as const, subject: 'crash:2026-01-02T03:04:05.000Z' };
	expect([auditTitle(crash), auditLink(crash)]).toEqual(['Mark as seen: the crash', undefined]);
	expect(auditTime(crash)).toEqual(new Date('2026-01-02T03:04:05Z'));
});

test('what began an operation has its result: a person finds what failed afterwards', () => {
	const began = { action: 'server.restart', subject: OPERATION };
	expect(begunBy(began)).toBe(OPERATION);
	expect(begunBy({ action: 'operation.cancel', subject: OPERATION })).toBeNull();
	expect(begunBy({ action: 'backups.verify', subject: BACKUP })).toBeNull();
	const result = (state: OperationState, kept?: string) =>
		resultOf({ result: 'done' }, endOf({ state, cause: null, ...(kept && { kept }) }));
	expect(result('failed')).toBe('failed');
	expect(result('rolled-back')).toBe('failed');
	expect(result('succeeded')).toBe('done');
	// A removal that was made, though the server does not start for another reason.
	expect(result('failed', 'Removed.')).toBe('done');
	expect(resultOf({ result: 'refused' }, null)).toBe('refused');
});

test('a start whose wait ran out is called the same as in the list of operations', () => {
	const cause = { message: 'It was still loading.', loading: true } as const;
	const result = { culprits: [], together: false, rest: [] };
	const search = endOf({ kind: 'culprit', state: 'succeeded', cause: null, result });
	expect(operationVariant(search).word).toBe('Nothing found');
	expect(operationVariant(endOf({ state: 'failed', cause }))).toMatchObject({
		word: 'Timed out'
	});
});

test('a backup is named by its time, with a link while it exists', () => {
	expect(auditTime({ subject: BACKUP })).toEqual(new Date('2026-01-02T03:04:05Z'));
	expect(auditTime({ subject: TASK })).toBeNull();
	expect(auditLink({ action: 'backups.verify', subject: BACKUP })).toContain(`backup=${BACKUP}`);
	expect(auditLink({ action: 'snapshots.change', subject: BACKUP })).toContain('tab=snapshots');
	expect(auditLink({ action: 'snapshots.delete', subject: BACKUP })).toBeUndefined();
	expect(auditLink({ action: 'server.stop', subject: OPERATION })).toBe(
		`/admin/operations/${OPERATION}`
	);
});
