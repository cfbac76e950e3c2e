import type { AuditEntry } from '$lib/schemas/audit';
import type { Operation, OperationState } from '$lib/schemas/operation';

/** The subject of what starts an operation is its id. */
export const OPERATION_ID = /^\d{8}T\d{9}Z-[0-9a-f]{4}$/;

export type Entry = Pick<AuditEntry, 'action' | 'subject'>;

/** The operation that it began, which has a story of its own; null when it began none. */
export const begunBy = ({ action, subject }: Entry): string | null =>
	subject && OPERATION_ID.test(subject) && !action.startsWith('operation.') ? subject : null;

/** How an operation is, or ended, as its own list says it. */
export type End = {
	state: OperationState;
	cause: { message: string; loading?: true | undefined; onCopy?: true | undefined } | null;
	killedBy?: string | undefined;
	unclean?: string | undefined;
} & Partial<Pick<Operation, 'kind' | 'result' | 'crashed'>>;
/** A change that was kept was made, whatever became of the server. */
export const endOf = ({ kept, ...end }: End & Pick<Operation, 'kept'>): End => {
	const { kind, state, cause, killedBy, unclean, result, crashed } = end;
	if (kept) return { state: 'succeeded', cause: null };
	return { kind, state, cause, killedBy, unclean, result, ...(crashed && { crashed }) };
};

const FAILED: OperationState[] = ['failed', 'rolled-back', 'interrupted'];
/** How it went, with the operation that it began. */
export const resultOf = (
	{ result }: Pick<AuditEntry, 'result'>,
	operation: End | null
): AuditEntry['result'] =>
	result === 'done' && operation && FAILED.includes(operation.state) ? 'failed' : result;
