import { building } from '$app/environment';
import { getRequestEvent } from '$app/server';
import { createApp, type App } from '#app';
import { authOf } from '#auth';
import { plainAddress, safePath } from '#core/net';
import {
	actionName,
	compress,
	decide,
	problem,
	statusOf,
	createHostCheck,
	requireOwnOrigin,
	requireRole,
	timeZoneOf
} from '#core/http';
import { AppError, type Kind } from '#core/errors';
import { EnvError, readEnv } from '#env';
import { zoneFrom } from '$lib/ui/format/zone';
import {
	error,
	json,
	redirect,
	type Handle,
	type HandleServerError,
	type RequestEvent,
	type ResolveOptions,
	type ServerInit
} from '@sveltejs/kit';
import { hostname } from 'node:os';

/** The wrapper (scripts/serve.js) waits for the app and closes it; Vite's next run of `init` finds the one before. */
const kept = globalThis as { craftwarden?: { ready: Promise<App> } };
let answer: Handle = ({ event, resolve }) => resolve(event);

export const init: ServerInit = async () => {
	if (building) return;
	const before = kept.craftwarden;
	await before?.ready.then(
		(app) => app.close(),
		() => {} // it never came up, and said why
	);
	const ready = build();
	kept.craftwarden = { ready };
	answer = createHandle(await ready);
	zoneFrom(() => getRequestEvent().locals.timeZone);
	if (!before) process.on('sveltekit:shutdown', shutdown);
};

async function build(): Promise<App> {
	try {
		const app = await createApp(await readEnv(process.env, process.cwd()));
		await app.start();
		return app;
	} catch (cause) {
		if (!(cause instanceof EnvError || cause instanceof AppError)) throw cause;
		for (const line of cause.message.split('\n')) process.stderr.write(`craftwarden: ${line}\n`);
		process.exit(1);
	}
}

const shutdown = async () => (await kept.craftwarden?.ready)?.close();

export const handle: Handle = (input) => answer(input);

/** Checks host, origin, user and access; then runs the route; then sets the headers that every answer needs. */
export function createHandle(app: App): Handle {
	const auth = authOf(app);
	const isOurs = createHostCheck(app.env, hostname());

	/** The user, when a session cookie says so; without a cookie the answer comes at once. */
	function admit(event: RequestEvent): Promise<void> | undefined {
		const { request, url } = event;
		if (!isOurs(url.hostname))
			throw new AppError(
				'misdirected',
				'This dashboard does not go by that name. Set PUBLIC_URL to the address that you use.'
			);
		if (event.isRemoteRequest) throw new AppError('not-found', 'There is nothing at this address.');
		// A program that reports an error sends no Origin; a page elsewhere does.
		if (!isErrorReport(event) || request.headers.has('origin'))
			requireOwnOrigin(request, url, app.env.publicUrl);
		if (!request.headers.has('cookie')) return allow(event);
		return auth.read(event).then((session) => {
			const { locals } = event;
			locals.session = session;
			if (session) locals.actor = { ...session.user, address: locals.actor.address };
			allow(event);
		});
	}

	function allow({ locals, request, route, url }: RequestEvent): undefined {
		const action = request.method === 'POST' ? actionName(url) : undefined;
		decide(route.id, request.method, locals.session, action);
	}

	return async ({ event, resolve }) => {
		const { locals, request } = event;
		locals.app = app;
		locals.session = null;
		locals.refusal = null;
		locals.timeZone = timeZoneOf(event.cookies);
		locals.actor = { name: 'anonymous', role: null, address: addressOf(event) };
		locals.authorise = (least) => {
			try {
				requireRole(least)(locals.session);
			} catch (cause) {
				note(app, event, cause);
				throw cause;
			}
		};
		try {
			const reading = admit(event);
			if (reading) await reading;
		} catch (cause) {
			if (!(cause instanceof AppError)) throw cause;
			if (isErrorReport(event)) return new Response(null, { status: 204 });
			note(app, event, cause);
			// Where there is no route, kit has nothing to run but its not-found page.
			const nothing = cause.kind === 'not-found' && event.route.id === null;
			if (isVisit(event, cause)) return finish(event, await refusePage(event, resolve, cause));
			if (!nothing || isApi(event) || event.isRemoteRequest) return refuse(event, cause);
		}
		if (isApi(event)) return finish(event, asProblem(request, await resolve(event)));
		return finish(event, await resolve(event, inHead()));
	};
}

/** Always answered 204, also when it is dropped because of where it comes from. */
const isErrorReport = ({ request, route }: RequestEvent) =>
	request.method === 'POST' && route.id === '/api/errors';

function addressOf(event: RequestEvent): string | null {
	try {
		return plainAddress(event.getClientAddress());
	} catch {
		return null; // the adapter knows none
	}
}

const isApi = ({ route, url }: RequestEvent) =>
	/^\/(?:api(?:\/|$)|(?:healthz|metrics)$)/.test(route.id ?? url.pathname);

/** Records that a signed-in user tried what their role does not allow; the answer does not wait for the disk. */
function note(app: App, { locals, request, route }: RequestEvent, cause: unknown) {
	if (!locals.session || !(cause instanceof AppError) || cause.kind !== 'forbidden') return;
	void app.audit.record(locals.actor, 'access', {
		subject: `${request.method} ${route.id}`,
		result: 'refused',
		detail: cause.message
	});
}

/** A signed-in user requested a page that their role may not see. */
const isVisit = (event: RequestEvent, { kind }: AppError) =>
	kind === 'forbidden' &&
	event.locals.session !== null &&
	['GET', 'HEAD'].includes(event.request.method) &&
	!(isApi(event) || event.isDataRequest || event.isRemoteRequest);

/** The page's own load throws the refusal, so it is told inside the app; nothing else of a page is ever sent. */
async function refusePage(
	event: RequestEvent,
	resolve: Parameters<Handle>[0]['resolve'],
	cause: AppError
): Promise<Response> {
	event.locals.refusal = cause;
	const response = await resolve(event, inHead());
	if (response.status === statusOf(cause)) return response;
	await response.body?.cancel();
	return refuse(event, cause);
}

/** The answer instead of the route's: problem+json for programs, the way to the login page or an error page for people. */
function refuse(event: RequestEvent, cause: AppError): Response {
	const { request, url } = event;
	const words = { message: cause.message, code: cause.code };
	if (isApi(event) || cause.kind === 'method-not-allowed' || cause.kind === 'misdirected')
		return problem(cause);
	if (cause.kind === 'unauthorized') {
		const target = safePath(request.method === 'POST' ? url.pathname : url.pathname + url.search);
		redirect(
			303,
			`/login?${new URLSearchParams({ error: 'SessionRequired', callbackUrl: target })}`
		);
	}
	const status = statusOf(cause);
	// What `use:enhance` understands; kit itself would answer it with a bare error.
	if (request.method === 'POST' && request.headers.get('accept') === 'application/json')
		return json({ type: 'error', status, error: words }, { status });
	error(status, words);
}

/** Ids of unexpected errors, for the answers that kit has already worded. */
const errorIds = new WeakMap<Request, string>();
const KINDS: Record<number, Kind> = {
	400: 'malformed',
	404: 'not-found',
	405: 'method-not-allowed',
	413: 'too-large',
	415: 'unsupported-media'
};

/** Kit's own errors under /api get the shape of ours. */
function asProblem(request: Request, response: Response): Response {
	if (response.status < 400) return response;
	if (response.headers.get('content-type')?.startsWith('application/problem+json')) return response;
	const id = errorIds.get(request);
	const words = id ? `The log has the cause under ${id}.` : 'The request cannot be answered.';
	return problem(new AppError(KINDS[response.status] ?? 'internal', words));
}

/** Modules to fetch early stand in the compressed head instead of in kit's `Link` header, which costs 2 kB a page. */
function inHead(): ResolveOptions {
	let links = '';
	return {
		preload: ({ type, path }) => {
			if (type === 'js') links += `<link rel="modulepreload" href="${path}">`;
			return false;
		},
		transformPageChunk: ({ html }) => {
			const end = links ? html.indexOf('</head>') : -1;
			return end < 0 ? html : `${html.slice(0, end)}${links}${html.slice(end)}`;
		}
	};
}

function finish(event: RequestEvent, response: Response): Response | Promise<Response> {
	const { headers } = response;
	if (!headers.has('cache-control')) {
		const html = headers.get('content-type')?.startsWith('text/html');
		if (event.locals.session) headers.set('cache-control', 'private, no-store');
		else if (html) headers.set('cache-control', 'private, no-cache');
	}
	// A renewed session's cookie is for one person alone.
	else if (headers.has('set-cookie') && headers.get('cache-control')!.startsWith('public'))
		headers.set('cache-control', 'private, no-cache');
	return compress(response, event.request);
}

export const handleError: HandleServerError = ({ error: cause, event, status, message }) => {
	if (status === 404) return { message: 'There is nothing at this address.', code: 'not-found' };
	if (status < 500) return { message };
	const { app } = event.locals;
	if (!app) return { message }; // it failed before anything of ours ran
	const facts = { method: event.request.method, path: event.url.pathname, cause };
	const id = app.failures.report('Unexpected error', facts);
	errorIds.set(event.request, id);
	// In the words, because the page that stands without the app shows nothing else.
	const words = `Something went wrong on our side. Its cause is in the dashboard’s log under ${id}.`;
	return { message: words, code: 'internal', id };
};
