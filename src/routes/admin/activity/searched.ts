import type { AuditEntry } from '$lib/schemas/audit';
import type { Operation } from '$lib/schemas/operation';
import { auditWord } from '$lib/schemas/plain/words/audit-words';
import { operationStateWord, OPERATION_WORDS } from '$lib/schemas/plain/words/operation-words';
import type { End } from './begun';

/** What people see of an operation in its list, or may remember of its page. */
export const searched = (one: Operation) => [
	one.undoes ? `Undo the restore of ${one.undoes.subject}` : OPERATION_WORDS[one.kind],
	one.subject,
	`by ${one.by}`,
	operationStateWord(one),
	one.cause?.message,
	one.kept,
	one.steps.find(({ id }) => id === 'rollback')?.detail
];

export const RESULT_WORDS = { done: 'Done', refused: 'Refused', failed: 'Failed' };

/** `operation`: how the one that it began is, or ended; `why`: why that one failed. */
export const searchedAudit = (one: AuditEntry & { operation: End | null; why: string | null }) => [
	auditWord(one.action),
	one.subject,
	`by ${one.by}`,
	one.address,
	one.detail,
	one.operation ? operationStateWord(one.operation) : RESULT_WORDS[one.result],
	one.why
];
