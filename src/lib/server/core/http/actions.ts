import { fail, isHttpError, isRedirect, redirect, type RequestEvent } from '@sveltejs/kit';
import type { z } from 'zod';
import { AppError, type Issue } from '#core/errors';
import { incomingFile, type IncomingFile } from './upload.ts';
import { statusOf } from './answers.ts';
import { readForm } from './body.ts';
import { logged, wordsOf } from './failures.ts';
import { leaveNotice } from './notice.ts';
import { parse } from './parse.ts';

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
		return fail(statusOf(e), { message, issues: e.issues, values: values() });
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

/** What a form shows again after a mistake: never a secret. */
const echo = (values: Record<string, string | string[]>) =>
	Object.fromEntries(
		Object.entries(values).filter(
			(entry): entry is [string, string] =>
				typeof entry[1] === 'string' && !/password|secret|token/i.test(entry[0])
		)
	);
