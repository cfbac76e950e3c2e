import { isHttpError, isRedirect, type Handle, type RequestEvent } from '@sveltejs/kit';

export type Cookie = { name: string; value: string; options: Record<string, unknown> };
type Ask = {
	method?: string;
	/** Kit's id of the route that the path leads to; null when there is none. */
	route: string | null;
	headers?: Record<string, string>;
	body?: string;
	address?: string;
	data?: boolean;
	remote?: boolean;
};

/** One request as kit would hand it to `handle`; what is set on it is kept in `cookies` and `headers`. */
export function createEvent(target: string, ask: Ask) {
	const { method = 'GET', route, headers = {}, body, address = '192.0.2.1' } = ask;
	const url = new URL(target, 'http://10.0.0.5:3000');
	const cookies: Cookie[] = [];
	const set: Record<string, string> = {};
	const init: RequestInit = { method, headers };
	if (body !== undefined) init.body = body;
	const event = {
		request: new Request(url, init),
		url,
		route: { id: route },
		params: {},
		locals: {},
		isDataRequest: ask.data ?? false,
		isRemoteRequest: ask.remote ?? false,
		getClientAddress: () => address,
		setHeaders: (more: Record<string, string>) => void Object.assign(set, more),
		cookies: {
			get: () => undefined,
			set: (name: string, value: string, options: Record<string, unknown>) =>
				void cookies.push({ name, value, options }),
			delete: (name: string, options: Record<string, unknown>) =>
				void cookies.push({ name, value: '', options: { ...options, maxAge: 0 } })
		}
	} as unknown as RequestEvent;
	return { event, cookies, headers: set };
}

/** What kit makes of the answer: a redirect or an error that is thrown becomes a response. */
export async function respond(
	handle: Handle,
	event: RequestEvent,
	resolve: (event: RequestEvent) => Promise<Response> | Response
): Promise<Response> {
	try {
		return await handle({ event, resolve: async (event) => resolve(event) });
	} catch (thrown) {
		if (isRedirect(thrown))
			return new Response(null, { status: thrown.status, headers: { location: thrown.location } });
		if (isHttpError(thrown)) return Response.json(thrown.body, { status: thrown.status });
		throw thrown;
	}
}
