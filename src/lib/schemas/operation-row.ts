import type { Operation, OperationRow } from './operation.ts';

/** What the live stream says of one, from the whole of it. */
export const nowOf = ({
	steps,
	cancellable = false,
	leavesServer = false,
	countsDown = false
}: Operation) => ({
	step: steps.find(({ status }) => status === 'running')?.label ?? null,
	...{ cancellable, leavesServer, countsDown }
});

/** What a list needs of an operation: one that has ended is sent without its steps and the text from the log. */
export function toRow({ steps, boots, changes: _, ...operation }: Operation): OperationRow {
	if (operation.state === 'running')
		return { ...operation, ...nowOf({ ...operation, steps }), steps, ...(boots && { boots }) };
	const { cause } = operation;
	return { ...operation, cause: cause && { ...cause, log: [] } };
}
