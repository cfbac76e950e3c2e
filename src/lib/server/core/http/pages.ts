import { setTimeout as sleep } from 'node:timers/promises';
import { error, type ServerLoadEvent } from '@sveltejs/kit';
import { AppError } from '#core/errors';
import { statusOf } from './answers.ts';
import { logged } from './failures.ts';

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
			error(statusOf(e), { message: e.message, code: e.code, ...(id && { id }) });
		}
	};
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
