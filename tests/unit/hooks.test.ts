import { gunzipSync } from 'node:zlib';
import type { RequestEvent, ResolveOptions } from '@sveltejs/kit';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Session } from '#auth';
import { AppError } from '#core/errors';
import { json } from '#core/http';
import { createFailures } from '#core/log';
import { createEvent, respond } from '../fakes/kit-event.ts';
import { createManualClock } from '../fakes/manual-clock.ts';

/** Here a header says who asks; reading a session has tests of its own. */
vi.mock('#auth', () => ({
	authOf: () => ({
		read: async ({ request }: RequestEvent): Promise<Session | null> => {
			const role = request.headers.get('cookie');
			if (role !== 'admin' && role !== 'superadmin') return null;
			return { user: { name: `the ${role}`, role }, expires: '', id: 'id' };
		}
	})
}));
vi.mock('#app', () => ({ createApp: () => {} }));
const { createHandle, handleError } = await import('../../src/hooks.server.ts');

const ORIGIN = 'http://10.0.0.5:3000';
let audit: Record<string, unknown>[];
let reached: RequestEvent[];
let options: ResolveOptions | undefined;
let app: ReturnType<typeof setup>;

function setup({ host = '0.0.0.0', publicUrl = '' } = {}) {
	const log = { info() {}, warn() {}, error: vi.fn() };
	return {
		env: { host, publicUrl: publicUrl ? new URL(publicUrl) : null },
		audit: {
			record: async (by: object, action: string, facts: object) =>
				void audit.push({ by, action, ...facts })
		},
		log,
		failures: createFailures({ log, clock: createManualClock() })
	};
}
beforeEach(() => {
	audit = [];
	reached = [];
	options = undefined;
	app = setup();
});

type Ask = Omit<Parameters<typeof createEvent>[1], 'route'> & {
	route?: string | null;
	as?: 'admin' | 'superadmin';
	answer?: (event: RequestEvent) => Response;
};
/** The route is the path unless said otherwise; the answer says `reached` unless said otherwise. */
async function visit(target: string, { as, answer, route, ...ask }: Ask = {}) {
	const { event } = createEvent(target, {
		...ask,
		route: route === undefined ? target.split('?', 1)[0]! : route,
		headers: {
			...(as && { cookie: as }),
			...(ask.method && ask.method !== 'GET' && { origin: ORIGIN }),
			...ask.headers
		}
	});
	const handle = createHandle(app as never);
	const response = await respond(
		({ event, resolve }) =>
			handle({
				event,
				resolve: (event, given) => {
					options = given;
					return resolve(event);
				}
			}),
		event,
		(event) => {
			// As a page's load does.
			if (event.locals.refusal && !answer) return new Response('the error page', { status: 403 });
			reached.push(event);
			return answer?.(event) ?? new Response('reached');
		}
	);
	return { response, event, status: response.status };
}
const problemOf = async (response: Response) => {
	expect(response.headers.get('content-type')).toBe('application/problem+json');
	return response.json();
};

describe('a refused request', () => {
	test('is a problem in the API, and the route is never reached', async () => {
		const anonymous = await visit('/api/operations');
		expect(await problemOf(anonymous.response)).toMatchObject({
			status: 401,
			code: 'unauthorized'
		});
		const admin = await visit('/api/settings', { as: 'admin' });
		expect(await problemOf(admin.response)).toMatchObject({ status: 403, code: 'forbidden' });
		const method = await visit('/api/settings', { as: 'admin', method: 'DELETE' });
		expect(method.status).toBe(405);
		expect(method.response.headers.get('allow')).toBe('GET, HEAD, PATCH');
		const unlisted = await visit('/api/unlisted', { as: 'superadmin' });
		expect((await problemOf(unlisted.response)).status).toBe(403);
		const nothing = await visit('/api/nothing', { route: null, as: 'superadmin' });
		expect(await problemOf(nothing.response)).toMatchObject({ status: 404, code: 'not-found' });
		for (const { response } of [anonymous, admin, method, unlisted, nothing])
			expect(response.headers.get('cache-control')).toBe('no-store');
		expect(reached).toEqual([]);
	});

	test.each([
		['/admin', {}, '/admin'],
		['/admin?tab=a%26b', {}, '/admin?tab=a%26b'],
		['/admin', { data: true }, '/admin'],
		['/admin', { method: 'HEAD' }, '/admin'],
		['/admin?/stop', { method: 'POST' }, '/admin'],
		['/admin/settings?/save', { method: 'POST' }, '/admin/settings']
	] as [string, Ask, string][])(
		'%s %j leads an anonymous visitor to the login page',
		async (target, ask, back) => {
			const { response } = await visit(target, ask);
			expect(response.status).toBe(303);
			const location = new URL(response.headers.get('location')!, ORIGIN);
			expect(location.pathname).toBe('/login');
			expect(Object.fromEntries(location.searchParams)).toEqual({
				error: 'SessionRequired',
				callbackUrl: back
			});
			expect(reached).toEqual([]);
		}
	);

	test('with a lower role gets an error, also for data and for an enhanced form', async () => {
		expect((await visit('/admin/settings', { as: 'admin' })).status).toBe(403);
		const data = await visit('/admin/settings', { as: 'admin', data: true });
		expect(data.status).toBe(403);
		const form = await visit('/admin?/kill', {
			as: 'admin',
			method: 'POST',
			headers: { accept: 'application/json' }
		});
		expect(form.status).toBe(403);
		expect(await form.response.json()).toMatchObject({
			type: 'error',
			error: { code: 'forbidden' }
		});
		expect(reached).toEqual([]);
	});

	test('is shown inside the app; whatever else a page answers is discarded', async () => {
		const { response, event } = await visit('/admin/settings', { as: 'admin' });
		expect(await response.text()).toBe('the error page');
		expect(response.headers.get('cache-control')).toBe('private, no-store');
		expect(event.locals.refusal).toMatchObject({ kind: 'forbidden' });
		const careless = await visit('/admin/settings', {
			as: 'admin',
			answer: () => new Response('secrets')
		});
		expect(careless.status).toBe(403);
		expect(await careless.response.json()).toMatchObject({ code: 'forbidden' });
		expect((await visit('/admin/settings', { as: 'superadmin' })).event.locals.refusal).toBeNull();
	});

	test('is written into the audit log when logged in, not when anonymous', async () => {
		await visit('/admin?/kill', { as: 'admin', method: 'POST' });
		await visit('/admin/settings');
		await visit('/api/settings');
		expect(audit).toEqual([
			{
				by: { name: 'the admin', role: 'admin', address: '192.0.2.1' },
				action: 'access',
				subject: 'POST /admin',
				result: 'refused',
				detail: expect.stringContaining('Only a superadmin')
			}
		]);
	});

	test('cannot run a form action that is not in the table, whatever the role', async () => {
		for (const action of ['?/other', '?/constructor', '', '?/start2&/start'])
			expect((await visit(`/admin${action}`, { as: 'superadmin', method: 'POST' })).status).toBe(
				404
			);
		expect(reached).toEqual([]);
	});

	test('is not let through by an override, a second action name or a remote call', async () => {
		const override = { 'x-http-method-override': 'GET', 'x-method-override': 'GET' };
		const kill = { as: 'admin', method: 'POST', headers: override } as const;
		expect((await visit('/admin?/kill', kill)).status).toBe(403);
		expect((await visit('/admin?_method=GET&/kill&/start', kill)).status).toBe(403);
		expect((await visit('/login', { remote: true })).status).toBe(404);
		expect(reached).toEqual([]);
	});
});

describe('an allowed request', () => {
	test.each([
		['/', undefined],
		['/login', undefined],
		['/healthz', undefined],
		['/api/status', undefined],
		['/admin', 'admin'],
		['/admin/settings', 'superadmin']
	] as const)('%s as %s reaches the route', async (target, as) => {
		const { status, event } = await visit(target, as ? { as } : {});
		expect(status).toBe(200);
		expect(reached).toHaveLength(1);
		expect(event.locals.app).toBe(app);
		expect(event.locals.session?.user.role ?? null).toBe(as ?? null);
		expect(event.locals.actor).toEqual({
			name: as ? `the ${as}` : 'anonymous',
			role: as ?? null,
			address: '192.0.2.1'
		});
	});

	test('is checked again after a route has parsed it, and a refusal is recorded', async () => {
		const asked = (least: 'admin' | 'superadmin') => () => reached[0]!.locals.authorise(least);
		await visit('/admin?/start', { as: 'admin', method: 'POST' });
		expect(asked('admin')).not.toThrow();
		expect(asked('superadmin')).toThrow(AppError);
		expect(audit).toHaveLength(1);
	});

	test('is identified by the plain address, and by none when there is none', async () => {
		const mapped = await visit('/', { address: '::ffff:192.0.2.7' });
		expect(mapped.event.locals.actor.address).toBe('192.0.2.7');
		const { event } = createEvent('/', { route: '/' });
		event.getClientAddress = () => {
			throw new Error('no address');
		};
		await respond(createHandle(app as never), event, () => new Response());
		expect(event.locals.actor.address).toBeNull();
	});

	test('that matches no route is kit’s own page, with who is logged in', async () => {
		const { event } = await visit('/nothing', { route: null, as: 'admin' });
		expect(reached).toHaveLength(1);
		expect(event.locals.session).not.toBeNull();
	});
});

describe('the origin of a request', () => {
	const types = [
		'application/x-www-form-urlencoded',
		'multipart/form-data; boundary=x',
		'text/plain',
		'APPLICATION/X-WWW-FORM-URLENCODED',
		'application/json',
		''
	];
	test.each(['http://evil.example', 'null', 'http://10.0.0.5', 'https://10.0.0.5:3000', ''])(
		'an origin of %j changes nothing, whatever the content type',
		async (origin) => {
			for (const type of types)
				for (const [target, method] of [
					['/admin?/stop', 'POST'],
					['/login', 'POST'],
					['/logout', 'POST'],
					['/api/server/stop', 'POST'],
					['/api/settings', 'PATCH']
				] as const) {
					const headers = { origin, ...(type && { 'content-type': type }) };
					const { status } = await visit(target, { method, as: 'superadmin', headers });
					expect(status, `${method} ${target} ${type}`).toBe(403);
				}
			expect(reached).toEqual([]);
		}
	);

	test('no origin at all changes nothing either', async () => {
		const { event } = createEvent('/api/server/stop', {
			route: '/api/server/stop',
			method: 'POST',
			headers: { cookie: 'superadmin' }
		});
		const response = await respond(createHandle(app as never), event, () => new Response());
		expect(await problemOf(response)).toMatchObject({ status: 403, code: 'wrong-origin' });
	});

	test('a foreign host is misdirected where we know our names', async () => {
		app = setup({ host: '127.0.0.1' });
		const evil = await visit('http://evil.example/', { route: '/' });
		expect(await problemOf(evil.response)).toMatchObject({ status: 421 });
		expect(JSON.stringify([...evil.response.headers])).not.toContain('evil');
		expect((await visit('http://localhost:3000/', { route: '/' })).status).toBe(200);
		app = setup({ host: '0.0.0.0', publicUrl: 'https://mc.example.org' });
		expect((await visit('http://evil.example/admin', { route: '/admin' })).status).toBe(421);
		expect((await visit('https://mc.example.org/', { route: '/' })).status).toBe(200);
		expect((await visit('http://192.0.2.1/', { route: '/' })).status).toBe(200);
		expect(reached).toHaveLength(3);
	});
});

describe('the answer', () => {
	const html = (text: string) => () =>
		new Response(text, {
			headers: { 'content-type': 'text/html', 'content-length': String(text.length) }
		});
	const cacheOf = async (target: string, ask: Ask) =>
		(await visit(target, ask)).response.headers.get('cache-control');

	test('is private as soon as somebody is logged in, unless the route says more', async () => {
		expect(await cacheOf('/admin', { as: 'admin', answer: html('x') })).toBe('private, no-store');
		expect(await cacheOf('/', { as: 'admin', answer: html('x') })).toBe('private, no-store');
		expect(await cacheOf('/admin', { as: 'admin', data: true })).toBe('private, no-store');
		expect(await cacheOf('/', { answer: html('x') })).toBe('private, no-cache');
		const own = () => new Response('', { headers: { 'cache-control': 'public, max-age=3' } });
		expect(await cacheOf('/api/status', { answer: own })).toBe('public, max-age=3');
		expect(await cacheOf('/api/audit', { as: 'admin', answer: () => json({}) })).toBe('no-store');
	});

	test('is compressed when it is long, and never when it is a stream', async () => {
		const headers = { 'accept-encoding': 'gzip, br' };
		const long = await visit('/', { headers, answer: html('x'.repeat(5000)) });
		expect(gunzipSync(await long.response.bytes()).toString()).toBe('x'.repeat(5000));
		const stream = await visit('/api/events', {
			as: 'admin',
			headers,
			answer: () =>
				new Response('x'.repeat(5000), { headers: { 'content-type': 'text/event-stream' } })
		});
		expect(stream.response.headers.has('content-encoding')).toBe(false);
	});

	test('of a page has its modules in the head, not in a header', async () => {
		await visit('/');
		expect(options?.preload?.({ type: 'js', path: './_app/a.js' })).toBe(false);
		expect(options?.preload?.({ type: 'css', path: './_app/a.css' })).toBe(false);
		expect(options?.preload?.({ type: 'js', path: './_app/$&.js' })).toBe(false);
		const page = await options?.transformPageChunk?.({
			html: '<head><title>a</title></head><body>&lt;/head></body>',
			done: true
		});
		expect(page).toBe(
			'<head><title>a</title><link rel="modulepreload" href="./_app/a.js"><link rel="modulepreload" href="./_app/$&.js"></head><body>&lt;/head></body>'
		);
		expect(await options?.transformPageChunk?.({ html: 'later chunk', done: true })).toBe(
			'later chunk'
		);
	});

	test('of a broken endpoint is a problem with the id of the log', async () => {
		const { response } = await visit('/api/status', {
			answer: (event) => {
				handleError({ error: new Error('secret'), event, status: 500, message: '' });
				return new Response('<html>Internal Error</html>', { status: 500 });
			}
		});
		const problem = await problemOf(response);
		expect(problem).toMatchObject({ status: 500, code: 'internal' });
		expect(app.log.error).toHaveBeenCalledWith(
			'Unexpected error',
			expect.objectContaining({ id: /[0-9a-f]{8}/.exec(problem.detail)![0] })
		);
		expect(JSON.stringify(problem)).not.toContain('secret');
	});

	test('of an endpoint that failed as expected is left as it is', async () => {
		const { response } = await visit('/api/status', {
			answer: () =>
				new Response('{"code":"mine"}', {
					status: 409,
					headers: { 'content-type': 'application/problem+json' }
				})
		});
		expect(await problemOf(response)).toEqual({ code: 'mine' });
	});
});
