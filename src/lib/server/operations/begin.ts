import type { AuditAction } from '#schemas/audit';
import type { Operation } from '#schemas/operation';
import type { Actor, RecordAction } from '#core/actor';
import { AppError } from '#core/errors';

type Asked = {
	by: Actor;
	action: AuditAction;
	/** The subject, for people; null when the action says it all. */
	subject: string | null;
	/** The subject in the audit log of an operation that began; by default the same. */
	detail?: string | null;
};

/** Of what could not be done: an action that was not allowed then, or that went wrong. */
export const resultOf = ({ kind }: AppError) =>
	kind === 'conflict' || kind === 'invalid' || kind === 'not-found' ? 'refused' : 'failed';

/** Begins an operation, and records in the audit log that it began or why it did not. */
export async function beginAudited(
	{ by, action, subject, detail = subject }: Asked,
	audit: RecordAction,
	run: () => Promise<Operation>
): Promise<Operation> {
	try {
		const operation = await run();
		await audit(by, action, { subject: operation.id, detail });
		return operation;
	} catch (error) {
		if (!(error instanceof AppError)) throw error;
		const result = resultOf(error);
		const why = subject === null ? error.message : `${subject}: ${error.message}`;
		await audit(by, action, { result, detail: why });
		throw error;
	}
}
