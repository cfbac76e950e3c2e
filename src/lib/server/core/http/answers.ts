import { AppError, type Kind } from '#core/errors';
import type { Reader } from '../sse.ts';
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

declare const STATUS_AND_BODY: unique symbol;
/** A response whose status and JSON the type check knows. */
export type Answered<S, T> = Response & { readonly [STATUS_AND_BODY]: { status: S; body: T } };

type Init = { status?: number; headers?: Record<string, string> };

function text(body: string, { headers, ...init }: Init): Response {
	const bytes = Buffer.from(body);
	return new Response(bytes, {
		...init,
		headers: {
			...headers,
			'content-type': 'application/json',
			'content-length': String(bytes.length) // spares Node the chunked encoding
		}
	});
}

/** JSON with any status; the caller knows which one. */
export const jsonWith = (body: unknown, { headers, ...init }: Init) =>
	text(JSON.stringify(body), { ...init, headers: { 'cache-control': 'no-store', ...headers } });

type Headers200 = { headers?: Record<string, string> };

export const json = <const T>(body: T, init: Headers200 = {}) =>
	jsonWith(body, init) as Answered<200, T>;

/** An answer that is already the JSON of a `T`. */
export const jsonText = <T>(body: string, init: Headers200) => text(body, init) as Answered<200, T>;

/** 202 with the operation that does the work, and where to watch it. */
export const accepted = <O extends { id: string }>(operation: O) =>
	jsonWith(
		{ operation },
		{ status: 202, headers: { location: `/api/operations/${operation.id}` } }
	) as Answered<202, { operation: O }>;

/** 202 with the id of the operation that has begun, among whatever else the address answers. */
export const begun = (operationId: string) =>
	jsonWith(
		{ operationId },
		{ status: 202, headers: { location: `/api/operations/${operationId}` } }
	) as Answered<202, { operationId: string }>;

/** An answer that Node sends piece by piece, as it is made. */
export const jsonPieces = <T>(pieces: ReadableStream<Uint8Array>) =>
	new Response(pieces, {
		headers: { 'content-type': 'application/json', 'cache-control': 'no-store, no-transform' }
	}) as Answered<200, T>;

/**
 * The events of an operation that has begun, as from its own address. Nothing is refused any more: a person with too
 * many open streams is told where to watch it.
 */
export async function watched<O extends { id: string }>(
	operation: O,
	{ locals, reader }: { locals: App.Locals; reader: Reader }
): Promise<Response> {
	try {
		return await locals.app.live.watch(operation.id, reader);
	} catch (e) {
		if (e instanceof AppError && e.kind === 'busy') return accepted(operation);
		throw e;
	}
}
