import type { RequestEvent } from '@sveltejs/kit';
import type { AppError } from '#core/errors';
import { errorId } from '../log/index.ts';

/** What failed on our side is in the log with its cause, under the id that is answered; null for any other failure. */
export function logged({ locals, request, url }: RequestEvent, e: AppError): string | null {
	if (e.kind !== 'internal') return null;
	const id = errorId();
	const facts = { id, method: request.method, path: url.pathname, cause: e };
	locals.app?.log.error('Something failed', facts);
	return id;
}

export const wordsOf = ({ message }: AppError, id: string | null) =>
	id ? `${message} The log has the cause under ${id}.` : message;
