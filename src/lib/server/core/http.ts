import { setTimeout as sleep } from 'node:timers/promises';
import {
	error,
	fail,
	isHttpError,
	isRedirect,
	redirect,
	type Cookies,
	type RequestEvent,
	type ServerLoadEvent
} from '@sveltejs/kit';
import { z } from 'zod';
import { AppError, type Issue, type Kind } from './errors.ts';
import { errorId } from './log.ts';
import { incomingFile, type IncomingFile } from './upload.ts';

const STATUS: Record<Kind, number> = {
	malformed: 400,
	unauthorized: 401,
	forbidden: 403,
	'not-found': 404,
	'method-not-allowed': 405,
	conflict: 409,
	'too-large': 413,
	'unsupported-media': 415,
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
	unauthorized: 'Not signed in',
	forbidden: 'Not allowed',
	'not-found': 'Not found',
	'method-not-allowed': 'Method not allowed',
	conflict: 'Not now',
	'too-large': 'Too large',
	'unsupported-media': 'Wrong media type',
	misdirected: 'Wrong host',
	invalid: 'Check the fields',
	throttled: 'Too many tries',
	internal: 'Something went wrong',
	upstream: 'The other side failed',
	offline: 'The server is offline',
	busy: 'Busy',
	timeout: 'Timed out'
};

/** Bodies of commands and forms are small; uploads have a route and a limit of their own. */
export const BODY_MAX_BYTES = 64 * 1024;
export const NOTICE_COOKIE = 'craftwarden_notice';

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
	return new Response(JSON.stringify(body), { status, headers });
}

export function parse<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
	const result = schema.safeParse(input);
	if (result.success) return result.data;
	const issues: Issue[] = result.error.issues.map(({ path, message }) => ({
		path: path.join('.'),
		message
	}));
	throw new AppError('invalid', issues[0]?.message ?? 'Check the fields', { issues });
}

/** An id in the path that cannot be one names nothing: 404, whatever the schema disliked. */
export function parseParams<S extends z.ZodType>(schema: S, params: unknown): z.output<S> {
	const result = schema.safeParse(params);
	if (result.success) return result.data;
	throw new AppError('not-found', `${result.error.issues[0]?.message ?? 'Not found'}.`);
}

/** The body's bytes; `too-large` as soon as the limit is passed, whatever Content-Length claimed. */
export async function readBody(request: Request, maxBytes = BODY_MAX_BYTES): Promise<Uint8Array> {
	const tooLarge = () => new AppError('too-large', `The request is larger than ${maxBytes} bytes.`);
	if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge();
	const chunks: Uint8Array[] = [];
	const reader = request.body?.getReader();
	let size = 0;
	// Not cancelled when it is too much: that would cut the connection before the answer is out.
	for (;;) {
		const { done, value } = (await reader?.read().catch(unreadable)) ?? { done: true };
		if (done || !value) break;
		size += value.byteLength;
		if (size > maxBytes) throw tooLarge();
		chunks.push(value);
	}
	return Buffer.concat(chunks);
}

const unreadable = (cause: unknown): never => {
	throw new AppError('malformed', 'The request body could not be read.', { cause });
};

/** The parsed JSON body; no body at all is an empty object. */
async function readJson(request: Request): Promise<unknown> {
	const type = request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
	const body = await readBody(request);
	if (type === undefined && body.byteLength === 0) return {};
	if (type !== 'application/json')
		throw new AppError('unsupported-media', 'Send the body as application/json.');
	try {
		return JSON.parse(new TextDecoder().decode(body));
	} catch (cause) {
		throw new AppError('malformed', 'The body is not valid JSON.', { cause });
	}
}

/** The form's text fields, a repeated one as an array. */
async function readForm(request: Request): Promise<Record<string, string | string[]>> {
	const type = request.headers.get('content-type') ?? '';
	if (!/^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type))
		throw new AppError('unsupported-media', 'Send this as a form.');
	const body = await readBody(request);
	const form = await new Response(Buffer.from(body), { headers: { 'content-type': type } })
		.formData()
		.catch((cause) => {
			throw new AppError('malformed', 'The form could not be read.', { cause });
		});
	const fields = new Map<string, string | string[]>();
	for (const [name, value] of form) {
		if (typeof value !== 'string')
			throw new AppError('unsupported-media', 'This form takes no files.');
		const before = fields.get(name);
		fields.set(name, before === undefined ? value : [before, value].flat());
	}
	return Object.fromEntries(fields);
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

/** What failed on our side is in the log with its cause, under the id that is answered; null for any other failure. */
function logged({ locals, request, url }: RequestEvent, e: AppError): string | null {
	if (e.kind !== 'internal') return null;
	const id = errorId();
	const facts = { id, method: request.method, path: url.pathname, cause: e };
	locals.app?.log.error('Something failed', facts);
	return id;
}

const wordsOf = ({ message }: AppError, id: string | null) =>
	id ? `${message} The log has the cause under ${id}.` : message;

/** Turns what a handler returns or throws into an answer; a bug goes on to kit's `handleError`. */
async function answer(event: RequestEvent, run: () => unknown): Promise<Response> {
	try {
		if (event.locals.refusal) throw event.locals.refusal;
		const body = await run();
		if (body instanceof Response) return body;
		return body === undefined ? new Response(null, { status: 204 }) : json(body);
	} catch (e) {
		if (!(e instanceof AppError)) throw e;
		return problem(e, logged(event, e));
	}
}

/** An endpoint without a body: return a value (200), undefined (204) or a Response; throw an AppError. */
export const endpoint =
	<E extends RequestEvent>(run: (event: E) => unknown) =>
	(event: E) =>
		answer(event, () => run(event));

/** An endpoint whose query string is parsed first. */
export const query =
	<S extends z.ZodType, E extends RequestEvent>(
		schema: S,
		run: (input: z.output<S>, event: E) => unknown
	) =>
	(event: E) =>
		answer(event, () => run(parse(schema, Object.fromEntries(event.url.searchParams)), event));

/** An endpoint with a JSON body: parsed, then the access table's refinement is asked, then the verb. */
export const command =
	<S extends z.ZodType, E extends RequestEvent>(
		schema: S,
		run: (input: z.output<S>, event: E) => unknown
	) =>
	(event: E) =>
		answer(event, async () => {
			const input = parse(schema, await readJson(event.request));
			event.locals.authorise(input);
			return run(input, event);
		});

/** What a form action's verb may answer: the words to show, and where to go instead of back to the page. */
export type Done = { message?: string; operation?: { id: string }; location?: string } | void;

export type Failure = { message: string; issues: Issue[]; values: Record<string, string> };

/**
 * A form action. With JavaScript (`use:enhance`) it answers data; without, a 303, so that a reload never repeats
 * the deed, and the words stand on the next page as a notice.
 */
export const action =
	<S extends z.ZodType>(
		schema: S,
		run: (input: z.output<S>, event: RequestEvent) => Done | Promise<Done>
	) =>
	(event: RequestEvent) => {
		let values: Record<string, string | string[]> = {};
		const attempt = async () => {
			values = await readForm(event.request);
			const input = parse(schema, values);
			event.locals.authorise(input, actionName(event.url));
			return run(input, event);
		};
		return act(event, attempt, () => echo(values));
	};

/** A form action that takes one file of a multipart form, as it arrives. */
export const uploadAction =
	(
		field: string,
		maxBytes: number,
		run: (file: IncomingFile, event: RequestEvent) => Promise<Done>
	) =>
	(event: RequestEvent) =>
		act(event, async () => {
			event.locals.authorise({}, actionName(event.url));
			return run(await incomingFile(event.request, field, maxBytes), event);
		});

async function act(
	event: RequestEvent,
	attempt: () => Promise<Done>,
	values: () => Record<string, string> = () => ({})
) {
	let done: Done;
	try {
		done = await attempt();
	} catch (e) {
		if (isRedirect(e) || isHttpError(e) || !(e instanceof AppError)) throw e;
		if (e.retryAfterS !== null) event.setHeaders({ 'retry-after': String(e.retryAfterS) });
		const message = wordsOf(e, logged(event, e));
		return fail(STATUS[e.kind], { message, issues: e.issues, values: values() });
	}
	const location = done?.location ?? (done?.operation && `/admin/operations/${done.operation.id}`);
	if (event.request.headers.get('accept')?.includes('text/html')) {
		if (done?.message) leaveNotice(event.cookies, { kind: 'success', message: done.message });
		redirect(303, location ?? backTo(event.url));
	}
	return { message: done?.message ?? null, location: location ?? null };
}

/** The name after `?/`, `default` when there is none. */
export const actionName = (url: URL) =>
	[...url.searchParams.keys()].find((key) => key.startsWith('/'))?.slice(1) ?? 'default';

/** The page itself, with its query but without the action's name. */
function backTo(url: URL) {
	const kept = [...url.searchParams].filter(([key]) => !key.startsWith('/'));
	return kept.length ? `${url.pathname}?${new URLSearchParams(kept)}` : url.pathname;
}

/** What an address names, or the page that says it is not there. */
export function found<T>(thing: T | null | undefined, message = 'It is not there any more.'): T {
	if (thing === null || thing === undefined) throw new AppError('not-found', message);
	return thing;
}

/** For a part of a page that another program answers: the page is shown without it, and says why. */
export const orProblem = <T>(
	part: Promise<T>
): Promise<{ value: T | null; problem: string | null }> =>
	part.then(
		(value) => ({ value, problem: null }),
		(e: unknown) => {
			if (!(e instanceof AppError)) throw e;
			return { value: null, problem: e.message };
		}
	);

/** Null when it is not there in time, or fails as it may: the browser asks again. */
export const within = async <T>(ms: number, part: Promise<T>): Promise<T | null> => {
	const late = new AbortController();
	const settled = orProblem(part).then(({ value }) => value);
	try {
		return await Promise.race([settled, sleep(ms, null, { signal: late.signal })]);
	} finally {
		late.abort();
	}
};

/** A page's load function: an expected failure, and a refusal, becomes the nearest error page. */
export const page = <T, E extends ServerLoadEvent>(run: (event: E) => T | Promise<T>) =>
	layout((event: E) => {
		if (event.locals.refusal) throw event.locals.refusal;
		return run(event);
	});

/** A layout's load function: it also surrounds the page that says why another may not be seen. */
export function layout<T, E extends ServerLoadEvent>(run: (event: E) => T | Promise<T>) {
	return async (event: E): Promise<T> => {
		try {
			return await run(event);
		} catch (e) {
			if (!(e instanceof AppError)) throw e;
			const id = logged(event, e);
			error(STATUS[e.kind], { message: e.message, code: e.code, ...(id && { id }) });
		}
	};
}

export type Notice = { kind: 'success' | 'error'; message: string };

/** One notice for the next page, for people without JavaScript. */
export function leaveNotice(cookies: Cookies, notice: Notice) {
	cookies.set(NOTICE_COOKIE, JSON.stringify(notice), {
		path: '/',
		httpOnly: true,
		sameSite: 'lax',
		maxAge: 60
	});
}

const NoticeShape = z.object({ kind: z.enum(['success', 'error']), message: z.string().max(500) });

/** Takes the notice that the request before left, once. */
export function takeNotice(cookies: Cookies): Notice | null {
	const text = cookies.get(NOTICE_COOKIE);
	if (!text) return null;
	cookies.delete(NOTICE_COOKIE, { path: '/' });
	try {
		return NoticeShape.parse(JSON.parse(text));
	} catch {
		return null;
	}
}

/** What a form shows again after a mistake: never a secret. */
const echo = (values: Record<string, string | string[]>) =>
	Object.fromEntries(
		Object.entries(values).filter(
			(entry): entry is [string, string] =>
				typeof entry[1] === 'string' && !/password|secret|token/i.test(entry[0])
		)
	);
