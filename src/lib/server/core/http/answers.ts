import type { AppError, Kind } from '#core/errors';
import { wordsOf } from './failures.ts';

const STATUS: Record<Kind, number> = {
	malformed: 400,
	unauthorized: 401,
	forbidden: 403,
	'not-found': 404,
	'method-not-allowed': 405,
	conflict: 409,
	'too-large': 413,
	'unsupported-media': 415,
	'out-of-range': 416,
	misdirected: 421,
	invalid: 422,
	throttled: 429,
	internal: 500,
	upstream: 502,
	offline: 503,
	busy: 503,
	timeout: 504
};
const TITLE: Record<Kind, string> = {
	malformed: 'Bad request',
	unauthorized: 'Not logged in',
	forbidden: 'Not allowed',
	'not-found': 'Not found',
	'method-not-allowed': 'Method not allowed',
	conflict: 'Not now',
	'too-large': 'Too large',
	'unsupported-media': 'Wrong media type',
	'out-of-range': 'Not that long',
	misdirected: 'Wrong host',
	invalid: 'Check the fields',
	throttled: 'Too many tries',
	internal: 'Something went wrong',
	upstream: 'The other side failed',
	offline: 'The server is offline',
	busy: 'Busy',
	timeout: 'Timed out'
};

export const statusOf = (e: AppError) => STATUS[e.kind];

/** RFC 9457 `application/problem+json`. */
export function problem(e: AppError, id: string | null = null): Response {
	const status = STATUS[e.kind];
	const body = {
		type: 'about:blank',
		title: TITLE[e.kind],
		status,
		detail: wordsOf(e, id),
		code: e.code,
		...(e.issues.length && { issues: e.issues }),
		...(e.operation && { operation: e.operation })
	};
	const headers = new Headers({
		'content-type': 'application/problem+json',
		'cache-control': 'no-store'
	});
	if (e.retryAfterS !== null) headers.set('retry-after', String(e.retryAfterS));
	if (e.allow.length) headers.set('allow', e.allow.join(', '));
	if (e.bytes !== null) headers.set('content-range', `bytes */${e.bytes}`);
	return new Response(JSON.stringify(body), { status, headers });
}

export const json = (body: unknown, init: ResponseInit = {}) => {
	const headers = Object.fromEntries(new Headers(init.headers));
	return jsonText(JSON.stringify(body), {
		...init,
		headers: { 'cache-control': 'no-store', ...headers }
	});
};

type TextInit = { status?: number; headers?: Record<string, string> };

/** An answer that is JSON already. */
export const jsonText = (text: string, { headers, ...init }: TextInit) =>
	new Response(text, {
		...init,
		headers: {
			...headers,
			'content-type': 'application/json',
			'content-length': String(Buffer.byteLength(text)) // spares Node the chunks
		}
	});

/** 202 with the operation that does the work, and where to watch it. */
export const accepted = (operation: { id: string }) =>
	json({ operation }, { status: 202, headers: { location: `/api/operations/${operation.id}` } });
