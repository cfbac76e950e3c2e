import type { RequestEvent } from '@sveltejs/kit';
import type { z } from 'zod';
import { AppError } from '#core/errors';
import { json, problem } from './answers.ts';
import { readJson } from './body.ts';
import { logged } from './failures.ts';
import { parse } from './parse.ts';

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
