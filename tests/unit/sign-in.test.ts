import { encode } from '@auth/core/jwt';
import { isActionFailure, type RequestEvent } from '@sveltejs/kit';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { authOf } from '#auth';
import type { Actor } from '#core/actor';
import { AppError } from '#core/errors';
import { systemClock, type Clock } from '#core/clock';
import { json } from '#core/http';
import { createFailures } from '#core/log';
import { createAccounts, createDirectory, type Accounts, createThrottle } from '#services/accounts';
import { createSessions, NO_SESSIONS, type Sessions, type SessionsFile } from '#services/sessions';
import { actions, load } from '../../src/routes/login/+page.server.ts';
import { POST as logout } from '../../src/routes/logout/+server.ts';
import { createEvent, respond, type Cookie } from '../fakes/kit-event.ts';

vi.mock('#app', () => ({ createApp: () => {} }));
const { createHandle, handleError } = await import('../../src/hooks.server.ts');

const SECRET = 'a secret of more than thirty-two characters';
const ORIGIN = 'http://10.0.0.5:3000';
const NAME = 'craftwarden_session_0123abcd';
const ACCOUNTS = [
	{ name: 'Ada', password: 'correct horse', role: 'superadmin' as const },
	{ name: 'bob', password: 'staple lantern', role: 'admin' as const }
];

type Recorded = { by: Actor; action: string; result?: string; detail?: string | null };
let audit: Recorded[];
let logged: { message: string; cause?: unknown }[];
let ended: string[];
let stored: SessionsFile;
let nowMs: number;
let app: {
	env: { authSecret: string; installation: string; host: string; publicUrl: URL | null };
	accounts: Accounts;
	sessions: Sessions;
};
const clock: Clock = { ...systemClock, now: () => new Date(nowMs) };

async function start(accounts = ACCOUNTS) {
	const record = async (by: Actor, action: string, facts = {}) =>
		void audit.push({ by, action, ...facts });
	const log = (message: string, facts = {}) => void logged.push({ message, ...facts });
	const logger = { warn: log, error: log, info: log };
	const directory = await createDirectory(accounts, SECRET);
	const sessions = await createSessions({
		file: '/nowhere/sessions.json',
		store: { read: async () => stored, update: async (change) => (stored = change(stored)) },
		clock,
		markOf: (key) => directory.find(key)?.mark ?? null,
		publish: ({ sessionId }) => void ended.push(sessionId),
		warn: log
	});
	const known = createAccounts({
		...{ directory, accounts, secret: SECRET, clock, record },
		throttle: createThrottle({ clock }),
		knows: sessions.knows
	});
	const made = {
		env: { authSecret: SECRET, installation: '0123abcd', host: '0.0.0.0', publicUrl: null },
		accounts: known,
		sessions,
		audit: { record },
		log: logger,
		failures: createFailures({ log: logger, clock })
	};
	app = made;
	return made;
}

beforeEach(async () => {
	audit = [];
	logged = [];
	ended = [];
	stored = NO_SESSIONS;
	nowMs = Date.now();
	await start();
});

const FORM = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };
type Visit = NonNullable<Parameters<typeof createEvent>[1]>;

/** What the routes of this test answer; kit's part of running a form action is played here. */
async function route(event: RequestEvent): Promise<Response> {
	const { id } = event.route;
	if (id === '/login' && event.request.method === 'POST') {
		const result = await actions.default(event);
		return isActionFailure(result)
			? Response.json(result.data, { status: result.status })
			: new Response('page');
	}
	if (id === '/logout') return logout(event as never);
	if (id === '/api/operations') return json({ operations: [], by: event.locals.actor });
	return new Response(`<html><head></head>${event.locals.session?.user.name ?? 'nobody'}</html>`, {
		headers: { 'content-type': 'text/html' }
	});
}
/** One request through the hook; `https` as a trusted proxy would say. */
async function visit(target: string, ask: Visit) {
	const headers = { ...(ask.method === 'POST' && { origin: ORIGIN, ...FORM }), ...ask.headers };
	const { event, cookies, headers: set } = createEvent(target, { ...ask, headers });
	const response = await respond(createHandle(app as never), event, route);
	return { response, cookies, set, event };
}
const signIn = (
	username = 'ada',
	password = 'correct horse',
	ask: Partial<Visit> & { callbackUrl?: string } = {}
) =>
	visit('/login', {
		route: '/login',
		method: 'POST',
		body: String(
			new URLSearchParams({ username, password, callbackUrl: ask.callbackUrl ?? '/admin/activity' })
		),
		...ask
	});
const sessionOf = (cookies: Cookie[], name = NAME) =>
	cookies.findLast((cookie) => cookie.name === name)?.value ?? '';
const ask = (token: string, more: Partial<Visit> = {}) =>
	visit('/api/operations', {
		route: '/api/operations',
		headers: { cookie: `${NAME}=${token}` },
		...more
	});

describe('signing in', () => {
	test('leads to the intended page, with one cookie that scripts cannot read', async () => {
		const { response, cookies } = await signIn();
		expect(response.status).toBe(303);
		expect(response.headers.get('location')).toBe('/admin/activity');
		expect(cookies.map(({ name }) => name)).toEqual([NAME, 'craftwarden_device_0123abcd']);
		for (const { options } of cookies)
			expect(options).toMatchObject({ httpOnly: true, sameSite: 'lax', path: '/', secure: false });
		const lasting = (cookies[0]!.options['expires'] as Date).getTime() - Date.now();
		expect(lasting / 86_400_000).toBeCloseTo(7, 1);
		const inside = await ask(cookies[0]!.value);
		expect(inside.response.status).toBe(200);
		expect(inside.event.locals.session).toMatchObject({
			user: { name: 'Ada', role: 'superadmin' },
			id: stored.sessions[0]!.id
		});
		expect(await inside.response.json()).toMatchObject({
			by: { name: 'Ada', role: 'superadmin', address: '192.0.2.1' }
		});
	});

	test('over https the cookies are secure and bound to this host', async () => {
		const https = 'https://dash.example';
		const { cookies } = await visit(`${https}/login`, {
			route: '/login',
			method: 'POST',
			headers: { origin: https, ...FORM },
			body: 'username=bob&password=staple+lantern'
		});
		expect(cookies.map(({ name }) => name)).toEqual([
			`__Host-${NAME}`,
			'__Host-craftwarden_device_0123abcd'
		]);
		for (const { options } of cookies) expect(options).toMatchObject({ secure: true, path: '/' });
		const cookie = `__Host-${NAME}=${cookies[0]!.value}`;
		const ask = { route: '/api/operations', headers: { cookie } };
		expect((await visit(`${https}/api/operations`, ask)).response.status).toBe(200);
		const stripped = { ...ask, headers: { cookie: cookie.replace('__Host-', '') } };
		expect((await visit(`${https}/api/operations`, stripped)).response.status).toBe(401);
		expect((await visit(`/api/operations`, stripped)).response.status).toBe(401);
	});

	test.each([
		['ada', 'wrong'],
		['eve', 'correct horse'],
		['bob', 'correct horse']
	])(
		'%s with %j leads back with the code and the target page, and sets nothing',
		async (name, password) => {
			const { response, cookies } = await signIn(name, password);
			expect(response.status).toBe(303);
			expect(response.headers.get('location')).toBe(
				'/login?error=CredentialsSignin&callbackUrl=%2Fadmin%2Factivity'
			);
			expect(cookies).toEqual([]);
			expect(stored.sessions).toEqual([]);
			expect(logged).toEqual([]);
		}
	);

	test('too often is refused with the time to wait, in words and in the header', async () => {
		for (let i = 0; i < 5; i++) await signIn('ada', `wrong ${i}`);
		const { response, cookies, set } = await signIn();
		expect(response.status).toBe(429);
		expect(set['retry-after']).toMatch(/^(60|59)$/);
		const failure = await response.json();
		expect(failure.message).toMatch(/Wait (60|59) seconds/);
		expect(failure.values).toEqual({ username: 'ada', callbackUrl: '/admin/activity' });
		expect(cookies).toEqual([]);
		expect((await signIn('ada', 'correct horse', { address: '192.0.2.99' })).response.status).toBe(
			303
		);
	});

	test.each([
		['', 'x', 'username'],
		['ada', '', 'password'],
		['ada', 'x'.repeat(1025), 'password']
	])('%j with that password is malformed and names the field', async (name, password, field) => {
		const { response } = await signIn(name, password);
		expect(response.status).toBe(400);
		const { issues, values } = await response.json();
		expect(issues).toEqual([expect.objectContaining({ path: field })]);
		expect(values).not.toHaveProperty('password');
	});

	test.each([
		'//evil.example',
		'/\\evil',
		'https:evil',
		'javascript:alert(1)',
		'/login?callbackUrl=/x',
		'/logout',
		''
	])('never continues to %j', async (callbackUrl) => {
		const { response } = await signIn('ada', 'correct horse', { callbackUrl });
		expect(response.headers.get('location')).toBe('/admin');
	});

	test('fields and headers that Auth.js would react to change nothing', async () => {
		const { response, cookies } = await signIn('ada', 'correct horse', {
			headers: {
				origin: ORIGIN,
				...FORM,
				'x-auth-return-redirect': '1',
				'x-forwarded-host': 'evil.example',
				'x-forwarded-proto': 'https',
				cookie: 'authjs.callback-url=javascript:alert(1); authjs.csrf-token=x'
			},
			body:
				'username=ada&password=correct+horse&role=superadmin&sid=mine&redirectTo=https://evil.example' +
				'&providerId=github&callbackUrl=/admin&authorizationParams-x=1&__proto__=x'
		});
		expect(response.headers.get('location')).toBe('/admin');
		expect(cookies.map(({ name }) => name)).toEqual([NAME, 'craftwarden_device_0123abcd']);
		expect(cookies[0]!.options['secure']).toBe(false);
	});

	test('when the session cannot be stored nobody is logged in', async () => {
		vi.spyOn(app.sessions, 'create').mockRejectedValue(new Error('ENOSPC'));
		await expect(signIn()).rejects.toThrow('ENOSPC');
	});
});

describe('the session', () => {
	test('gets a new id at every sign-in, and the previous one is invalid', async () => {
		const first = sessionOf((await signIn()).cookies);
		const second = await signIn('ada', 'correct horse', {
			headers: { origin: ORIGIN, ...FORM, cookie: `${NAME}=${first}` }
		});
		const token = sessionOf(second.cookies);
		expect(token).not.toBe(first);
		expect((await ask(first)).response.status).toBe(401);
		expect((await ask(token)).response.status).toBe(200);
		expect(ended).toHaveLength(1);
	});

	test('a cookie planted before signing in is worthless afterwards', async () => {
		const planted = await encode({ token: { sid: 'planted' }, secret: SECRET, salt: NAME });
		const { cookies } = await signIn('bob', 'staple lantern', {
			headers: { origin: ORIGIN, ...FORM, cookie: `${NAME}=${planted}` }
		});
		expect(sessionOf(cookies)).not.toBe(planted);
		expect((await ask(planted)).response.status).toBe(401);
	});

	test('ends with logging out, for copies of the cookie too', async () => {
		const token = sessionOf((await signIn()).cookies);
		const other = sessionOf((await signIn()).cookies);
		const out = await visit('/logout', {
			route: '/logout',
			method: 'POST',
			headers: { origin: ORIGIN, ...FORM, cookie: `${NAME}=${token}` },
			body: ''
		});
		expect(out.response.status).toBe(303);
		expect(out.response.headers.get('location')).toBe('/');
		expect(out.cookies).toEqual([
			{ name: NAME, value: '', options: expect.objectContaining({ maxAge: 0, secure: false }) }
		]);
		expect((await ask(token)).response.status).toBe(401);
		expect((await ask(other)).response.status).toBe(200);
		expect(audit.at(-1)).toMatchObject({ by: { name: 'Ada' }, action: 'session.end' });
	});

	test('ends everywhere when asked to, for this account only', async () => {
		const tokens = [await signIn(), await signIn()].map(({ cookies }) => sessionOf(cookies));
		const bobs = sessionOf((await signIn('bob', 'staple lantern')).cookies);
		await visit('/logout', {
			route: '/logout',
			method: 'POST',
			headers: { origin: ORIGIN, ...FORM, cookie: `${NAME}=${tokens[0]}` },
			body: 'everywhere=1'
		});
		for (const token of tokens) expect((await ask(token)).response.status).toBe(401);
		expect((await ask(bobs)).response.status).toBe(200);
		expect(ended).toHaveLength(2);
	});

	test('logging out without a session leads to the start page and changes nothing', async () => {
		await signIn();
		const out = await visit('/logout', { route: '/logout', method: 'POST', body: '' });
		expect(out.response.status).toBe(303);
		expect(stored.sessions).toHaveLength(1);
	});

	test('ends when the password changes, and the role is that of the configuration', async () => {
		const adas = sessionOf((await signIn()).cookies);
		const bobs = sessionOf((await signIn('bob', 'staple lantern')).cookies);
		await start([
			{ name: 'Ada', password: 'another horse', role: 'superadmin' },
			{ name: 'bob', password: 'staple lantern', role: 'superadmin' } as never
		]);
		expect((await ask(adas)).response.status).toBe(401);
		const { event } = await ask(bobs);
		expect(event.locals.session?.user.role).toBe('superadmin');
	});

	test('a role or name inside the token is not believed', async () => {
		await signIn('bob', 'staple lantern');
		const { id } = stored.sessions[0]!;
		const token = { sid: id, role: 'superadmin', name: 'Ada', sub: 'ada' };
		const forged = await encode({ token, secret: SECRET, salt: NAME });
		const { event } = await ask(forged);
		expect(event.locals.session?.user).toEqual({ name: 'bob', role: 'admin' });
	});

	test('is read from the token once, and asked for in the list every time', async () => {
		const token = sessionOf((await signIn()).cookies);
		const check = vi.spyOn(app.sessions, 'check');
		for (let i = 0; i < 5; i++) expect((await ask(token)).response.status).toBe(200);
		expect(check).toHaveBeenCalledTimes(5);
		await app.sessions.end(stored.sessions[0]!.id);
		expect((await ask(token)).response.status).toBe(401);
	});

	test('gets a new cookie when the token is older than a day, not before', async () => {
		const token = sessionOf((await signIn()).cookies);
		expect((await ask(token)).cookies).toEqual([]);
		const { id } = stored.sessions[0]!;
		const day = 24 * 60 * 60_000;
		const clockNow = vi.spyOn(Date, 'now');
		try {
			const base = nowMs;
			clockNow.mockImplementation(() => base + 1.5 * day);
			nowMs = base + 1.5 * day;
			const { cookies, response } = await ask(token);
			expect(response.status).toBe(200);
			expect(cookies.map(({ name }) => name)).toEqual([NAME]);
			expect(cookies[0]!.options).toMatchObject({ secure: false, httpOnly: true, path: '/' });
			expect(cookies[0]!.value).not.toBe(token);
			const renewed = await ask(cookies[0]!.value);
			expect(renewed.event.locals.session?.id).toBe(id);
		} finally {
			clockNow.mockRestore();
		}
	});
});

describe('an invalid cookie', () => {
	const inTurn = async (cookie: string) => {
		const { response, event } = await visit('/api/operations', {
			route: '/api/operations',
			headers: { cookie }
		});
		expect(event.locals.session).toBeNull();
		expect(event.locals.actor.name).toBe('anonymous');
		return response.status;
	};

	test('is nobody, whatever it contains', async () => {
		const token = sessionOf((await signIn()).cookies);
		const middle = Math.floor(token.length / 2);
		const tampered =
			token.slice(0, middle) + (token[middle] === 'A' ? 'B' : 'A') + token.slice(middle + 1);
		const foreign = await encode({ token: { sid: 'x' }, secret: `${SECRET}x`, salt: NAME });
		const noId = await encode({ token: { name: 'Ada' }, secret: SECRET, salt: NAME });
		const old = await encode({
			token: { sid: stored.sessions[0]!.id },
			secret: SECRET,
			salt: NAME,
			maxAge: -60
		});
		for (const value of [
			tampered,
			foreign,
			noId,
			old,
			token.slice(0, -1),
			`${token}.`,
			'',
			'x',
			'a.b.c.d.e',
			'....',
			'%00%ff',
			'x'.repeat(8_000),
			`"${token}"`,
			'{"sid":"x"}'
		])
			expect(await inTurn(`${NAME}=${value}`), value.slice(0, 40)).toBe(401);
		expect(await inTurn(`${NAME}=${token}; ${NAME}=${token}`)).toBe(401);
		expect(await inTurn(`${NAME}=x; ${NAME}=${token}`)).toBe(401);
		expect(await inTurn(`${NAME}${'; '.repeat(2000)}`)).toBe(401);
		expect(await inTurn(`other=1; x${NAME}=${token}`)).toBe(401);
		expect(logged).toEqual([]);
	});

	test.each(['Bearer', 'Bearer a.b', `Bearer ${'x'.repeat(60_000)}`, 'Basic YWRhOng='])(
		'an Authorization header is nobody either',
		async (authorization) => {
			const { response } = await visit('/api/operations', {
				route: '/api/operations',
				headers: { authorization }
			});
			expect(response.status).toBe(401);
		}
	);

	test('a failure on our side during the check is nobody, never an error and never somebody', async () => {
		const token = sessionOf((await signIn()).cookies);
		vi.spyOn(app.sessions, 'check').mockImplementation(() => {
			throw new Error('broken');
		});
		expect((await ask(token)).response.status).toBe(401);
		vi.restoreAllMocks();
		app.env.authSecret = '';
		expect((await ask(`${token.slice(0, -4)}AAAA`)).response.status).toBe(401);
		await expect(signIn()).rejects.toThrow();
	});
});

describe('the login page', () => {
	const read = async (query: string, session: object | null = null) => {
		const { event } = createEvent(`/login${query}`, { route: '/login' });
		Object.assign(event.locals, { session, authorise: () => {} });
		return load(event as never);
	};
	const SESSION = { user: { name: 'ada', role: 'admin' } };
	test.each([
		['', '/admin'],
		['?callbackUrl=%2Fadmin%2Factivity', '/admin/activity'],
		['?error=SessionRequired&callbackUrl=%2Fadmin%2Fmods', '/admin/mods'],
		['?callbackUrl=//evil.example', '/admin'],
		['?callbackUrl=%2Flogin', '/admin']
	])('%s leads whoever is logged in to %s', async (query, location) =>
		expect(read(query, SESSION)).rejects.toMatchObject({ status: 303, location })
	);
	test('somebody who is logged in learns why they are not somebody else', async () => {
		expect(await read('?error=CredentialsSignin', SESSION)).toMatchObject({
			error: 'The user name or the password is wrong.',
			user: SESSION.user
		});
	});
	test.each([
		['', null],
		['?error=CredentialsSignin', 'The user name or the password is wrong.'],
		['?error=SessionRequired', 'Log in to see that page.'],
		['?error=Configuration', 'Logging in did not work. Try again.'],
		['?error=<script>', 'Logging in did not work. Try again.'],
		['?error=__proto__', 'Logging in did not work. Try again.'],
		['?error=toString', 'Logging in did not work. Try again.']
	])('%s says %s', async (query, error) => expect(await read(query)).toMatchObject({ error }));

	test('keeps the target page, checked', async () => {
		expect(await read('?callbackUrl=%2Fadmin%2Factivity')).toMatchObject({
			callbackUrl: '/admin/activity',
			user: null
		});
		expect(await read('?callbackUrl=//evil.example')).toMatchObject({ callbackUrl: '/admin' });
		expect(await read('?callbackUrl=%')).toMatchObject({ callbackUrl: '/admin' });
	});
});

test('there is one Auth.js handler for each app', () => {
	expect(authOf(app as never)).toBe(authOf(app as never));
});

test('an unexpected error is logged with its cause and shown as an id only', () => {
	const { event } = createEvent('/admin', { route: '/admin' });
	event.locals.app = app as never;
	const cause = new Error('the password is hunter2');
	const shown = handleError({ error: cause, event, status: 500, message: 'Internal Error' });
	const { id, ...rest } = shown as { id: string };
	expect(id).toMatch(/^[0-9a-f]{8}$/);
	expect(rest).toEqual({
		message: `Something went wrong on our side. Its cause is in the dashboard’s log under ${id}.`,
		code: 'internal'
	});
	expect(logged).toEqual([expect.objectContaining({ cause, id, path: '/admin' })]);
	handleError({ error: new AppError('not-found', 'x'), event, status: 404, message: 'Not Found' });
	expect(logged).toHaveLength(1);
});
