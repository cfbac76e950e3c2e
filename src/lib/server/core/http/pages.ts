import { error, type ServerLoadEvent } from '@sveltejs/kit';
import { api, type Api, type InputOf, type Page, type PageKey } from '#api';
import { deadline } from '#core/deadline';
import { AppError, type Kind } from '#core/errors';
import { statusOf } from './answers.ts';
import { logged } from './failures.ts';
import { askedIn, parseAddress, parseParams } from './parse.ts';

/** Kit's event with the inputs of the entry, parsed. */
type Loaded<E> = Omit<ServerLoadEvent, 'params'> & Pick<InputOf<E>, 'params' | 'query'>;

/** A page's load function: an expected failure, or a refusal, becomes the nearest error page. */
export function page<K extends PageKey, T>(key: K, run: (event: Loaded<Api[K]>) => T | Promise<T>) {
	return Object.assign(load<Api[K], T>(api[key], run), { key });
}

/** The same for an entry that is not in the table. */
export const load = <E extends Page, T>(entry: E, run: (event: Loaded<E>) => T | Promise<T>) =>
	layout((event: ServerLoadEvent) => {
		const { locals, url } = event;
		if (locals.refusal) throw locals.refusal;
		locals.authorise(entry.role);
		const params = entry.params && parseParams(entry.params, event.params);
		const query = entry.query && parseAddress(entry.query, Object.fromEntries(askedIn(url)));
		return run({ ...event, params, query } as Loaded<E>);
	});

/** A layout's load function: the layout also surrounds the page that says why another one is not accessible. */
export function layout<T, E extends ServerLoadEvent>(run: (event: E) => T | Promise<T>) {
	return async (event: E): Promise<T> => {
		try {
			return await run(event);
		} catch (e) {
			if (!(e instanceof AppError)) throw e;
			const id = logged(event, e);
			error(statusOf(e), { message: e.message, code: e.code, ...(id && { id }) });
		}
	};
}

/**
 * For a part of a page that may be missing: the page is shown without it, and says why. Anything but an `expected`
 * failure is rethrown.
 */
export const orProblem = <T>(
	part: Promise<T>,
	expected: (kind: Kind) => boolean = () => true
): Promise<{ value: T | null; problem: string | null }> =>
	part.then(
		(value) => ({ value, problem: null }),
		(e: unknown) => {
			if (!(e instanceof AppError && expected(e.kind))) throw e;
			return { value: null, problem: e.message };
		}
	);

/** Null when it is not there in time, or fails in an expected way: the browser asks again. */
export const within = <T>(ms: number, part: Promise<T>): Promise<T | null> =>
	deadline(
		{ ms },
		() => orProblem(part).then(({ value }) => value),
		() => null
	);
