import type { RequestEvent } from '@sveltejs/kit';
import type { AppError } from '#core/errors';

/** A failure on our side is in the log with its cause, under the id that the answer has; null for any other failure. */
export function logged({ locals, request, url }: RequestEvent, e: AppError): string | null {
	if (e.kind !== 'internal') return null;
	const facts = { method: request.method, path: url.pathname, cause: e };
	return locals.app.failures.report('Something failed', facts);
}

export const wordsOf = ({ message }: AppError, id: string | null) =>
	id ? `${message} The log has the cause under ${id}.` : message;
