import type { z } from 'zod';
import { AppError, invalid, type Issue } from '#core/errors';

export function parse<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
	const result = schema.safeParse(input);
	if (result.success) return result.data;
	const issues: Issue[] = result.error.issues.map(({ path, message }) => ({
		path: path.join('.'),
		message
	}));
	throw invalid(issues);
}

/** An invalid id in the path names nothing: 404, whatever the schema disliked. */
export function parseParams<S extends z.ZodType>(schema: S, params: unknown): z.output<S> {
	const result = schema.safeParse(params);
	if (result.success) return result.data;
	throw new AppError('not-found', `${result.error.issues[0]?.message ?? 'Not found'}.`);
}

/** What an address asks for: the name of a form action that was posted to it is no part of that. */
export const askedIn = ({ searchParams }: URL) =>
	[...searchParams].filter(([key]) => !key.startsWith('/'));

/** The same for what follows the `?` of a page's address: nobody who reads it has written a form. */
export function parseAddress<S extends z.ZodType>(schema: S, asked: unknown): z.output<S> {
	const result = schema.safeParse(asked);
	if (result.success) return result.data;
	throw new AppError(
		'invalid',
		'This address is incomplete or wrong: it does not say what it is about.'
	);
}

/** Returns what an address names, or throws the page that says it is not there. */
export function found<T>(thing: T | null | undefined, message = 'It is not there any more.'): T {
	if (thing === null || thing === undefined) throw new AppError('not-found', message);
	return thing;
}
