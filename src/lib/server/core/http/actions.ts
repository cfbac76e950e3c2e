import { fail, isHttpError, isRedirect, redirect, type RequestEvent } from '@sveltejs/kit';
import { api, type Action, type Api, type InputOf, type Page, type PageKey } from '#api';
import { AppError, type Issue } from '#core/errors';
import { incomingFile, type IncomingFile } from './upload.ts';
import { statusOf } from './answers.ts';
import { readForm } from './body.ts';
import { echo } from './echo.ts';
import { logged, wordsOf } from './failures.ts';
import { leaveNotice } from './notice.ts';
import { askedIn, parse, parseParams } from './parse.ts';

/** What a form action may answer: the message to show, and where to go instead of back to the page. */
export type Done = {
	message?: string;
	/** It was done, and the message is bad news. */
	bad?: boolean;
	/** False when all was so already, or was no longer possible: that is no success. */
	changed?: boolean;
	/** What has begun; its page is where to go, unless `location` says otherwise. */
	operation?: { id: string };
	location?: string;
} | void;

export type Failure = {
	message: string;
	issues: Issue[];
	values: Record<string, string>;
	/** What is in the way. */
	operation?: string;
};

/** Kit's event with the path's and the form's fields, parsed. */
type Handled<P, A> = Omit<RequestEvent, 'params'> & {
	params: InputOf<P>['params'];
	body: InputOf<A>['body'];
	file: A extends { kind: 'upload' } ? IncomingFile : undefined;
	fields: InputOf<A>['fields'];
};
type Values = Record<string, string | string[]>;
type Run<P, A> = (event: Handled<P, A>) => Done | Promise<Done>;
type ActionsOf<P> = P extends { actions?: infer F } ? NonNullable<F> : never;
type Runs<P> = { [N in keyof ActionsOf<P>]: Run<P, ActionsOf<P>[N]> };

/**
 * The form actions of a page, all that its entry names. With JavaScript (`use:enhance`) an action answers with data;
 * without, with a 303, so that a reload never repeats it, and the message appears on the next page as a notice.
 */
export const formActions = <K extends PageKey>(key: K, runs: Runs<Api[K]>) =>
	actionsOf<Api[K]>(api[key], runs, key);

/** The same for an entry that is not in the table. */
export function actionsOf<P extends Page>(page: P, runs: Runs<P>, key = '') {
	const handlers = Object.entries(page.actions ?? {}).map(([name, entry]) => {
		const run = runs[name as keyof Runs<P>] as Run<Page, Action>;
		const handler = (event: RequestEvent) => act(event, page, entry, run);
		return [name, Object.assign(handler, { key: `${key}?/${name}` })];
	});
	return Object.fromEntries(handlers) as {
		[N in keyof Runs<P>]: (event: RequestEvent) => ReturnType<typeof act>;
	};
}

async function act(event: RequestEvent, page: Page, entry: Action, run: Run<Page, Action>) {
	const { locals, request } = event;
	let values: Values = {};
	let done: Done;
	try {
		locals.authorise(entry.role);
		const params = page.params && parseParams(page.params, event.params);
		if (entry.kind === 'upload') {
			const file = await incomingFile(request, entry.file, entry.maxBytes);
			const fields = async () => entry.fields && parse(entry.fields, await file.fields());
			done = await run({ ...event, params, body: undefined, file, fields });
		} else {
			values = await readForm(request);
			const body = parse(entry.body, values);
			const more = await entry.refine?.({ params, query: undefined, body }, locals.app);
			if (more) locals.authorise(more);
			const all = { ...event, params, body, file: undefined, fields: async () => undefined };
			done = await run(all as Handled<Page, Action>);
		}
	} catch (e) {
		if (isRedirect(e) || isHttpError(e) || !(e instanceof AppError)) throw e;
		if (e.retryAfterS !== null) event.setHeaders({ 'retry-after': String(e.retryAfterS) });
		const message = wordsOf(e, logged(event, e));
		const shown = entry.kind === 'action' ? echo(entry.body, values) : {};
		const inTheWay = e.operation ? { operation: e.operation } : {};
		return fail(statusOf(e), { message, issues: e.issues, values: shown, ...inTheWay });
	}
	return answer(event, done);
}

function answer(event: RequestEvent, done: Done) {
	const location = done?.location ?? (done?.operation && `/admin/operations/${done.operation.id}`);
	if (event.request.headers.get('accept')?.includes('text/html')) {
		// What has only begun is no success yet.
		const isNoSuccess = done?.operation || done?.changed === false;
		const kind = done?.bad ? 'error' : isNoSuccess ? 'info' : 'success';
		if (done?.message && !saysItself(done, location))
			leaveNotice(event, { kind, message: done.message });
		redirect(303, location ?? backTo(event.url));
	}
	return {
		message: done?.message ?? null,
		location: location ?? null,
		...(done?.operation && { operation: done.operation.id }),
		...(done?.bad && { bad: true }),
		...(done?.changed === false && { changed: false })
	};
}

/** The operation's own page shows that it has begun. */
const saysItself = ({ bad, operation }: Exclude<Done, void>, location: string | undefined) =>
	!bad && !!operation && !!location?.endsWith(`/${operation.id}`);

/** The name after `?/`, `default` when there is none. */
export const actionName = (url: URL) =>
	[...url.searchParams.keys()].find((key) => key.startsWith('/'))?.slice(1) ?? 'default';

/** The page itself, with its query but without the action's name. */
function backTo(url: URL) {
	const kept = askedIn(url);
	return kept.length ? `${url.pathname}?${new URLSearchParams(kept)}` : url.pathname;
}
