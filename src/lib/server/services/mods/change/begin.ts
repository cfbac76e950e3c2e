import type { AuditAction } from '#schemas/audit';
import type { Operation } from '#schemas/operation';
import type { Actor, RecordAction } from '#core/actor';
import { AppError } from '#core/errors';
import type { Operations } from '#operations';
import type { RestoreInput } from './restore.ts';

type Deps = {
	operations: Pick<Operations, 'run'>;
	audit: RecordAction;
	/** Why the mods cannot be changed at all, in a sentence. */
	untouchable: () => Promise<string | null>;
};
type Act = { action: AuditAction; subject: string; by: Actor };

/** Begins an operation, and records in the audit log that it began or why it did not. */
export async function begin(
	{ action, subject, by }: Act,
	audit: RecordAction,
	run: () => Promise<Operation>
): Promise<Operation> {
	try {
		const operation = await run();
		await audit(by, action, { subject: operation.id, detail: subject });
		return operation;
	} catch (error) {
		if (error instanceof AppError) {
			const result = error.kind === 'conflict' ? 'refused' : 'failed';
			await audit(by, action, { result, detail: `${subject}: ${error.message}` });
		}
		throw error;
	}
}

/** Begins the operation that puts a snapshot back; `note` names it for people. */
export const createRestoreStart =
	({ operations, audit, untouchable }: Deps) =>
	(snapshotId: string, by: Actor, note: string): Promise<Operation> => {
		const subject = note ? `Snapshot “${note}”` : `Snapshot ${snapshotId}`;
		const input: RestoreInput = { snapshot: snapshotId, by: by.name };
		return begin({ action: 'snapshots.restore', subject, by }, audit, async () => {
			const why = await untouchable();
			if (why) throw new AppError('conflict', why);
			return operations.run('restore', input, by, subject);
		});
	};
