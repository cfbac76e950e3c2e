import { expect, test } from 'vitest';
import type { Operation } from '$lib/schemas/operation';
import { hasWords } from '$lib/schemas/plain/words/has-words';
import { searched, searchedAudit } from './searched.ts';

const AT = '2026-01-02T03:04:05.000Z';
const operation = (facts: Partial<Operation>): Operation => ({
	...{ id: '20260102T030405123Z-1a2b', kind: 'restore', subject: 'the mods', by: 'ada' },
	...{ state: 'succeeded', startedAt: AT, finishedAt: AT, steps: [], cause: null },
	...facts
});
const finds = (one: Operation, q: string) => hasWords(searched(one), q);

test('an operation is found by the words that its row and its page say', () => {
	const undone = operation({
		undoes: { operation: '20260102T030405123Z-1a2c', subject: 'the world' }
	});
	expect(finds(undone, 'undo world')).toBe(true);
	expect(finds(operation({}), 'undo')).toBe(false);
	const back = operation({ kind: 'update', state: 'rolled-back' });
	expect(finds(back, 'rolled back')).toBe(true);
	expect(finds(operation({}), 'succeeded ada')).toBe(true);
	const late = { message: 'It was still loading.', log: [], mods: [], loading: true as const };
	expect(finds(operation({ kind: 'start', state: 'failed', cause: late }), 'timed out')).toBe(true);
});

test('an entry of the audit log is found by how what it began has ended', () => {
	const entry = {
		...{ id: '1', at: AT, by: 'ada', address: null, action: 'mods.update', subject: null },
		...{ result: 'done', detail: null, why: null }
	} as Parameters<typeof searchedAudit>[0];
	const end = { state: 'rolled-back', cause: null } as const;
	expect(hasWords(searchedAudit({ ...entry, operation: end }), 'rolled back')).toBe(true);
	expect(hasWords(searchedAudit({ ...entry, operation: null }), 'rolled back')).toBe(false);
	expect(hasWords(searchedAudit({ ...entry, operation: null }), 'done')).toBe(true);
});
