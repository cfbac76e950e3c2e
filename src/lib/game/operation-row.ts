import type { OperationRow } from '$lib/client/stream/live.svelte.ts';
import type { Operation } from '$lib/schemas/operation';

/** What a list needs of an operation: one that has ended goes without its steps and the log's words. */
export function toRow({ steps, ...operation }: Operation): OperationRow {
	if (operation.state === 'running') return { ...operation, steps };
	const { cause } = operation;
	return { ...operation, cause: cause && { ...cause, log: [] } };
}
