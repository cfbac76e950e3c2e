import type { RequestEvent } from '@sveltejs/kit';
import type { z } from 'zod';
import { api, type Answers, type Api, type Endpoint, type EndpointKey, type InputOf } from '#api';
import { AppError } from '#core/errors';
import { readerOf, type Reader } from '../sse.ts';
import { jsonWith, problem, type Answered } from './answers.ts';
import { readBody, readJson } from './body.ts';
import { logged } from './failures.ts';
import { parse, parseParams } from './parse.ts';
import { incomingFile, isMultipart, type IncomingFile } from './upload.ts';

/** Kit's event with the inputs of the entry, parsed. */
export type Handled<E> = Omit<RequestEvent, 'params'> &
	InputOf<E> & {
		file: E extends { kind: 'upload' }
			? IncomingFile
			: E extends { kind: 'json-or-file' }
				? IncomingFile | undefined
				: undefined;
		/** The reader of a stream. */
		reader: E extends { kind: 'stream' } ? Reader : undefined;
	};

type IsUnion<T, U = T> = T extends unknown ? ([U] extends [T] ? false : true) : never;
/** The value itself when only one answer is possible. */
type Plain<A extends Answers> =
	IsUnion<keyof A> extends true
		? never
		: A[keyof A] extends z.ZodType
			? z.output<A[keyof A]>
			: keyof A extends 204
				? void
				: never;
type Whole<A extends Answers> = {
	[S in keyof A]: A[S] extends z.ZodType
		? Answered<S, z.output<A[S]>>
		: S extends 204
			? never
			: Response;
}[keyof A];
/** What a handler may return: the type check holds it to the entry. */
export type Result<E extends { answers: Answers }> = Plain<E['answers']> | Whole<E['answers']>;

type Handler = ((event: RequestEvent) => Promise<Response>) & { key?: string };

/** The handler of a method in a `+server.ts`; it throws an AppError when it cannot do what is asked. */
export function endpoint<K extends EndpointKey>(
	key: K,
	run: (event: Handled<Api[K]>) => Result<Api[K]> | Promise<Result<Api[K]>>
): Handler {
	return Object.assign(handle<Api[K]>(api[key], run), { key });
}

/** The same for an entry that is not in the table. */
export function handle<E extends Endpoint>(
	entry: E,
	run: (event: Handled<E>) => Result<E> | Promise<Result<E>>
): Handler {
	const status = Number(Object.keys(entry.answers)[0]);
	return async (event) => {
		try {
			const answer = await run((await admit(entry, event)) as Handled<E>);
			if (answer instanceof Response) return answer;
			return answer === undefined
				? new Response(null, { status: 204 })
				: jsonWith(answer, { status });
		} catch (e) {
			const { signal } = event.request;
			// The client has left: nobody reads the answer, and nothing went wrong.
			if (signal.aborted && e === signal.reason) return new Response(null, { status: 204 });
			if (!(e instanceof AppError)) throw e;
			return problem(e, logged(event, e));
		}
	};
}

/** The event with its inputs; throws when one of them is wrong, or needs a higher role. */
async function admit(entry: Endpoint, event: RequestEvent) {
	const { locals, request, url } = event;
	if (locals.refusal) throw locals.refusal;
	locals.authorise(entry.role);
	const params = entry.params && parseParams(entry.params, event.params);
	const query = entry.query && parse(entry.query, Object.fromEntries(url.searchParams));
	const { kind, file: field = '', fields, maxBytes = 0 } = entry;
	const brings = kind === 'upload' || (kind === 'json-or-file' && isMultipart(request));
	const body = brings ? null : entry.body && (await bodyOf(entry, entry.body, request));
	const more = entry.refine && (await entry.refine({ params, query, body }, locals.app));
	if (more) locals.authorise(more);
	const file = brings ? await incomingFile(request, field, maxBytes) : undefined;
	return {
		...event,
		...{ params, query, body, file },
		fields: async () => fields && parse(fields, await file?.fields()),
		reader: kind === 'stream' ? readerOf(event) : undefined
	};
}

async function bodyOf({ kind, maxBytes }: Endpoint, schema: z.ZodType, request: Request) {
	if (kind !== 'lenient') return parse(schema, await readJson(request));
	try {
		const body = await readBody(request, maxBytes);
		return schema.parse(JSON.parse(new TextDecoder().decode(body)));
	} catch {
		return null; // too large, broken off, or something else
	}
}
