import { Readable } from 'node:stream';
import type { RequestEvent } from '@sveltejs/kit';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { Stored } from '#api';
import { AppError } from '#core/errors';
import { actionsOf, type Done } from './actions.ts';
import { handle } from './endpoints.ts';
import { accepted, endpoint, formActions, json, layout, takeNotice } from './index.ts';
import { noticeCookie } from './notice.ts';
import { load as loading } from './pages.ts';

const Note = z.strictObject({ note: z.string().min(2, 'Too short') });

const base = { kind: 'json' as const, role: 'admin' as const, summary: '' };
const any = { ...base, answers: { 200: z.unknown() } };
const answering = (run: () => unknown) => handle(any, run);
const nothing = { ...base, answers: { 204: null } };
const command = (run: () => void) => handle({ ...nothing, body: Note }, run);
const page = (run: () => unknown) => loading({ kind: 'page', role: 'admin' }, run);
/** The form action `save` of a page. */
const action = <S extends z.ZodType>(body: S, run: () => Done) =>
	actionsOf(
		{ kind: 'page', role: 'admin', actions: { save: { kind: 'action', role: 'admin', body } } },
		{ save: run }
	).save;

type Sent = { body?: BodyInit; headers?: Record<string, string>; query?: string };

function event({ body, headers = {}, query = '' }: Sent = {}) {
	const url = new URL(`http://test/admin/notes${query}`);
	const jar = new Map<string, string>();
	const asked: unknown[] = [];
	const init = { method: 'POST', body, headers, duplex: 'half' } as RequestInit;
	return {
		url,
		asked,
		jar,
		request: new Request(url, init),
		locals: {
			app: { env: { installation: 'ours' } },
			authorise: (...args: unknown[]) => void asked.push(args)
		},
		setHeaders: (set: Record<string, string>) =>
			Object.entries(set).forEach(([k, v]) => jar.set(k, v)),
		cookies: {
			// As a browser on plain http does, where Kit's cookies are secure unless told otherwise.
			set: (name: string, value: string, { secure = true }) => !secure && jar.set(name, value),
			get: (name: string) => jar.get(name),
			delete: (name: string, { secure = true }) => !secure && jar.delete(name)
		}
	} as unknown as RequestEvent & { asked: unknown[]; jar: Map<string, string> };
}

/** The body in pieces, as a socket brings it. */
async function* inPieces(bytes: Uint8Array) {
	for (let at = 0; at < bytes.length; at += 16_384) yield bytes.subarray(at, at + 16_384);
}

const asJson = (value: unknown, headers = {}) =>
	event({
		body: JSON.stringify(value),
		headers: { 'content-type': 'application/json', ...headers }
	});
const asForm = (fields: [string, string][], headers = {}, query = '?/save') =>
	event({ body: new URLSearchParams(fields), headers, query });

test('a handler answers JSON, nothing or its own Response, and is never cached', async () => {
	const whole = await answering(() => ({ a: 1 }))(event());
	expect([whole.status, await whole.json()]).toEqual([200, { a: 1 }]);
	expect(whole.headers.get('cache-control')).toBe('no-store');
	const made = handle({ ...base, answers: { 201: z.object({ a: z.int() }) } }, () => ({ a: 1 }));
	expect((await made(event())).status).toBe(201);
	expect((await handle(nothing, () => undefined)(event())).status).toBe(204);
	expect((await answering(() => new Response('x', { status: 418 }))(event())).status).toBe(418);
});

test('an expected failure is problem+json; a bug is passed to handleError', async () => {
	const failing = answering(() => {
		throw new AppError('throttled', 'Slow down.', {
			retryAfterS: 7,
			issues: [{ path: 'a', message: 'b' }]
		});
	});
	const response = await failing(event());
	expect(response.status).toBe(429);
	expect(response.headers.get('content-type')).toBe('application/problem+json');
	expect(response.headers.get('retry-after')).toBe('7');
	expect(await response.json()).toEqual({
		type: 'about:blank',
		title: 'Too many tries',
		status: 429,
		detail: 'Slow down.',
		code: 'throttled',
		issues: [{ path: 'a', message: 'b' }]
	});
	const bug = answering(() => {
		throw new TypeError('x');
	});
	await expect(bug(event())).rejects.toThrow(TypeError);
});

test('a range that a file does not have is 416 and states the length of the file', async () => {
	const failing = answering(() => {
		throw new AppError('out-of-range', 'There is no such part.', { bytes: 0 });
	});
	const response = await failing(event());
	expect(response.status).toBe(416);
	expect(response.headers.get('content-range')).toBe('bytes */0');
	expect(await response.json()).toMatchObject({ status: 416, code: 'out-of-range' });
});

test('a failure on our side is answered with an id, and is in the log under it', async () => {
	const broken = new AppError('internal', 'The journal could not be read.');
	const fail = () => Promise.reject(broken);
	const shown: string[] = [];
	const at = () => {
		const one = event();
		const report = (_: string, { cause }: { cause: unknown }) => {
			expect(cause).toBe(broken);
			shown.push(`id ${shown.length}`);
			return shown.at(-1);
		};
		Object.assign(one.locals, { app: { failures: { report } } });
		return one;
	};
	const { detail } = await (await answering(fail)(at())).json();
	expect(detail).toBe(`The journal could not be read. The log has the cause under ${shown[0]}.`);
	const thrown = await page(fail)(at() as never).catch((e: unknown) => e);
	expect(thrown).toMatchObject({ status: 500, body: { id: shown[1] } });
	expect(new Set(shown).size).toBe(2);
});

test.each([
	[
		'415 without a JSON type',
		event({ body: '{"note":"ok"}', headers: { 'content-type': 'text/plain' } }),
		415
	],
	[
		'400 for broken JSON',
		event({ body: '{', headers: { 'content-type': 'application/json' } }),
		400
	],
	['422 for a wrong field', asJson({ note: 'x' }), 422],
	['422 for an unknown field', asJson({ note: 'ok', role: 'superadmin' }), 422],
	['422 for a polluting field', asJson(JSON.parse('{"note":"ok","__proto__":{"x":1}}')), 422],
	['413 for a claimed length', asJson({ note: 'ok' }, { 'content-length': '99999999' }), 413],
	[
		'413 for a real length',
		event({
			body: Readable.toWeb(
				Readable.from(inPieces(Buffer.from(`"${'x'.repeat(70_000)}"`)))
			) as BodyInit,
			headers: { 'content-type': 'application/json' }
		}),
		413
	]
])('%s, and the verb does not run', async (_name, sent, status) => {
	let ran = false;
	const response = await command(() => void (ran = true))(sent);
	expect(response.status).toBe(status);
	expect(ran).toBe(false);
	expect(({} as { x?: number }).x).toBeUndefined();
});

test('a body that never ends is cut at the limit', async () => {
	let sent = 0;
	const endless = new ReadableStream({
		pull(controller) {
			sent += 1;
			controller.enqueue(new Uint8Array(16_384).fill(0x20));
		}
	});
	const response = await command(() => {})(
		event({ body: endless, headers: { 'content-type': 'application/json' } })
	);
	expect(response.status).toBe(413);
	expect(sent).toBeLessThan(20);
});

test('deeply nested JSON is rejected safely', async () => {
	const deep = '['.repeat(30_000) + ']'.repeat(30_000);
	const sent = event({ body: deep, headers: { 'content-type': 'application/json' } });
	expect((await command(() => {})(sent)).status).toBe(422);
});

test('the role is checked before anything is read, and what the request itself requires before the handler', async () => {
	const order: string[] = [];
	const entry = {
		...nothing,
		body: Note,
		refine: async ({ body }: { body: unknown }, { mods }: Stored) => {
			order.push(`${JSON.stringify(body)} among ${(await mods.list()).mods.length}`);
			return 'superadmin' as const;
		}
	};
	const run = handle(entry, () => void order.push('ran'));
	const ask = async (role: 'admin' | 'superadmin') => {
		const sent = asJson({ note: 'ok' });
		sent.locals.app = { mods: { list: async () => ({ mods: [] }) } } as never;
		sent.locals.authorise = (least) => {
			order.push(least);
			if (least !== role && role === 'admin') throw new AppError('forbidden', 'No.');
		};
		return (await run(sent)).status;
	};
	const asked = ['admin', '{"note":"ok"} among 0', 'superadmin'];
	expect([await ask('admin'), order.splice(0)]).toEqual([403, asked]);
	expect([await ask('superadmin'), order]).toEqual([204, [...asked, 'ran']]);
});

test('the path, the query and the body are parsed once', async () => {
	const entry = {
		...base,
		params: z.object({ id: z.string().regex(/^\d+$/, 'Unknown note') }),
		query: z.object({ limit: z.coerce.number().default(5) }),
		body: Note,
		answers: { 200: z.object({ got: z.array(z.union([z.string(), z.number()])) }) }
	};
	const run = handle(entry, ({ params, query, body }) => ({
		got: [params.id, query.limit, body.note]
	}));
	const sent = Object.assign(asJson({ note: 'ok' }), { params: { id: '7' } });
	expect(await (await run(sent)).json()).toEqual({ got: ['7', 5, 'ok'] });
	const unknown = Object.assign(asJson({ note: 'x' }), { params: { id: '../7' } });
	expect(await (await run(unknown)).json()).toMatchObject({ status: 404, detail: 'Unknown note.' });
});

test('a client that leaves during a lookup is not a failure', async () => {
	const leaving = new AbortController();
	const sent = event();
	Object.assign(sent, { request: new Request(sent.url, { signal: leaving.signal }) });
	const gone = handle(any, ({ request }) => {
		leaving.abort();
		request.signal.throwIfAborted();
	});
	expect((await gone(sent)).status).toBe(204);
	const bug = answering(() => {
		throw new TypeError('x');
	});
	await expect(bug(sent)).rejects.toThrow(TypeError);
});

test('an endpoint that accepts any body reads no more than its limit', async () => {
	const seen: unknown[] = [];
	const entry = { ...nothing, kind: 'lenient' as const, body: Note, maxBytes: 20 };
	const run = handle(entry, ({ body }) => void seen.push(body));
	for (const body of ['{"note":"ok"}', '{"note":"x"}', '{', `{"note":"${'x'.repeat(20)}"}`])
		expect((await run(event({ body }))).status).toBe(204);
	expect(seen).toEqual([{ note: 'ok' }, null, null, null]);
});

test('a wrong answer fails the type check', () => {
	const one = { ...base, answers: { 200: z.object({ a: z.int() }) } };
	handle(one, () => ({ a: 1 }));
	handle(one, async () => json({ a: 1 }));
	// @ts-expect-error a text is no number
	handle(one, () => ({ a: '1' }));
	// @ts-expect-error a field is missing
	handle(one, async () => ({}));
	// @ts-expect-error nothing is not the answer
	handle(one, () => {});
	// @ts-expect-error what is in a bare Response nobody knows
	handle(one, () => new Response('{"a":1}'));
	// @ts-expect-error the status is another
	handle(one, () => accepted({ id: 'x' }));
	// @ts-expect-error JSON of something else
	handle(one, () => json({ a: '1' }));
	// @ts-expect-error it has nothing to say
	handle(nothing, () => ({ a: 1 }));

	const two = { ...base, answers: { 200: z.object({ ok: z.literal(true) }), 204: null } };
	handle(two, () => json({ ok: true }));
	// @ts-expect-error which of them is not said
	handle(two, () => ({ ok: true }));
	// @ts-expect-error it has no body
	handle(one, ({ body }) => ({ a: body.length }));
});

test('the same holds for the entries of the table and their form actions', () => {
	endpoint('GET /api/backups', () => ({ backups: [] }));
	// @ts-expect-error that is no backup
	endpoint('GET /api/backups', () => ({ backups: [{ id: 1 }] }));
	// @ts-expect-error there is no such endpoint
	expect(() => endpoint('PUT /api/backups', () => ({ backups: [] }))).toThrow();
	const answer = { spans: [], output: '', truncated: false };
	endpoint('POST /api/console', ({ body }) => ({ ...answer, output: body.command }));
	// @ts-expect-error the body has no such field
	endpoint('POST /api/console', ({ body }) => ({ ...answer, output: body.message }));
	formActions('page /admin/chat', { send: ({ body }) => ({ message: body.message }) });
	// @ts-expect-error one is missing
	formActions('page /admin/chat', {});
	// @ts-expect-error the form has no such field
	formActions('page /admin/chat', { send: ({ body }) => ({ message: body.text }) });
});

test('202 says where to watch', () => {
	const response = accepted({ id: 'x' });
	expect([response.status, response.headers.get('location')]).toEqual([202, '/api/operations/x']);
});

test('without JavaScript a form is answered by a redirect and a notice that is shown once', async () => {
	const sent = asForm([['note', 'ok']], { accept: 'text/html' }, '?tab=a&/save');
	const save = action(Note, () => ({ message: 'Saved' }));
	await expect(save(sent)).rejects.toMatchObject({ status: 303, location: '/admin/notes?tab=a' });
	expect(sent.asked).toEqual([['admin']]);
	const beside = { locals: { app: { env: { installation: 'other' } } } as RequestEvent['locals'] };
	expect(takeNotice({ ...beside, cookies: sent.cookies })).toBeNull();
	expect(takeNotice(sent)).toEqual({ kind: 'success', message: 'Saved' });
	expect(takeNotice(sent)).toBeNull();
});

test('what was so already is no success', async () => {
	const kick = action(Note, () => ({ message: 'Ada is not online.', changed: false }));
	const sent = asForm([['note', 'ok']], { accept: 'text/html' });
	await expect(kick(sent)).rejects.toMatchObject({ status: 303 });
	expect(takeNotice(sent)).toEqual({ kind: 'info', message: 'Ada is not online.' });
	const enhanced = await kick(asForm([['note', 'ok']], { accept: 'application/json' }));
	expect(enhanced).toMatchObject({ changed: false });
});

test('a long action leads to its operation', async () => {
	const id = '20260102T030405123Z-1a2b';
	const start = action(z.strictObject({}), () => ({ operation: { id } }));
	const plain = asForm([], { accept: 'text/html' });
	await expect(start(plain)).rejects.toMatchObject({ location: `/admin/operations/${id}` });
	const enhanced = await start(asForm([], { accept: 'application/json' }));
	expect(enhanced).toEqual({
		message: null,
		location: `/admin/operations/${id}`,
		operation: id
	});
});

test.each([
	['its own page shows that it has begun', {}, null],
	['another page is told', { location: '/admin' }, { kind: 'info', message: 'It has begun.' }],
	['bad news are told there too', { bad: true }, { kind: 'error', message: 'It has begun.' }]
])('without JavaScript, what has begun: %s', async (_, more, notice) => {
	const operation = { id: '20260102T030405123Z-1a2b' };
	const start = action(z.strictObject({}), () => ({
		...{ message: 'It has begun.', operation },
		...more
	}));
	const sent = asForm([], { accept: 'text/html' });
	await expect(start(sent)).rejects.toMatchObject({ status: 303 });
	expect(takeNotice(sent)).toEqual(notice);
});

test('a mistake in a form comes back with what was typed, never a secret', async () => {
	const Login = z.strictObject({ note: z.string().min(9, 'Too short'), password: z.string() });
	const result = await action(Login, () => {})(
		asForm([
			['note', 'a'],
			['password', 'hunter2']
		])
	);
	expect(result).toMatchObject({
		status: 422,
		data: { message: 'Too short.', issues: [{ path: 'note' }], values: { note: 'a' } }
	});
	expect(JSON.stringify(result)).not.toContain('hunter2');
});

test.each([
	[
		'a file',
		() => {
			const form = new FormData();
			form.set('note', new File(['x'], '../../x'));
			return event({ body: form });
		}
	],
	['no boundary', () => event({ body: 'x', headers: { 'content-type': 'multipart/form-data' } })],
	['JSON', () => asJson({ note: 'ok' })]
])('a form with %s is rejected', async (_name, sent) => {
	let ran = false;
	const result = await action(Note, () => void (ran = true))(sent());
	expect([400, 415]).toContain((result as { status: number }).status);
	expect(ran).toBe(false);
});

test('ten thousand form parts are rejected, never a crash', async () => {
	const form = new FormData();
	for (let i = 0; i < 10_000; i++) form.append('__proto__', 'x');
	const whole = new Request('http://test', { method: 'POST', body: form });
	const headers = { 'content-type': whole.headers.get('content-type')! };
	const body = Readable.toWeb(Readable.from(inPieces(await whole.bytes()))) as BodyInit;
	expect(await action(Note, () => {})(event({ body, headers }))).toMatchObject({ status: 413 });
});

test('a page whose address lacks what it is about says so in words', async () => {
	const query = z.object({ id: z.string() });
	const load = loading({ kind: 'page', role: 'admin', query }, ({ query: { id } }) => id);
	expect(await load(event({ query: '?id=a' }) as never)).toBe('a');
	await expect(load(event() as never)).rejects.toMatchObject({
		status: 422,
		body: { message: 'This address is incomplete or wrong: it does not say what it is about.' }
	});
	const exact = loading(
		{ kind: 'page', role: 'admin', query: z.strictObject({ id: z.string() }) },
		({ query: { id } }) => id
	);
	expect(await exact(event({ query: '?id=a&/save' }) as never)).toBe('a');
});

test('a load that fails as expected leads to the error page with its message', async () => {
	const load = page(() => {
		throw new AppError('not-found', 'No such thing.');
	});
	await expect(load(event() as never)).rejects.toMatchObject({
		status: 404,
		body: { message: 'No such thing.', code: 'not-found' }
	});
});

test('when access is refused neither the load nor the endpoint runs; the surrounding layout does', async () => {
	const refused = event();
	refused.locals.refusal = new AppError('forbidden', 'Not for you.');
	const run = vi.fn(() => ({ here: true }));
	await expect(page(run)(refused as never)).rejects.toMatchObject({ status: 403 });
	for (const answer of [answering(run), command(run)])
		expect(await answer(refused)).toMatchObject({ status: 403 });
	expect(run).not.toHaveBeenCalled();
	expect(await layout(run)(refused as never)).toEqual({ here: true });
});

test('a forged notice is ignored', () => {
	const sent = event();
	sent.jar.set(noticeCookie(sent), '{"kind":"boom"');
	expect(takeNotice(sent)).toBeNull();
});
