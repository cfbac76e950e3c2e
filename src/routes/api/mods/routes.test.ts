import { expect, test } from 'vitest';
import { AppError } from '#core/errors';
import { DELETE, PATCH } from './+server';
import { GET as icon } from './icons/[projectId]/+server';
import { POST as install } from './install/+server';
import { GET as search } from './search/+server';
import { GET as modpack } from '../modpack/+server';

const operation = { id: '20260102T030405123Z-1a2b' };

type Ask = { app: object; method?: string; body?: unknown; headers?: Record<string, string> };

function event({ app, method = 'POST', body, headers }: Ask, params = {}, search = '') {
	const url = new URL(`http://localhost/${search}`);
	return {
		url,
		params,
		request: new Request(url, {
			method,
			headers: { 'content-type': 'application/json', ...headers },
			...(body !== undefined && { body: JSON.stringify(body) })
		}),
		locals: {
			app,
			actor: { name: 'ben', role: 'admin', address: null },
			session: { id: 's', user: { name: 'ben', role: 'admin' } },
			authorise: () => {}
		}
	} as never;
}

const live = { watch: async (id: string) => new Response(`stream of ${id}`) };

test('install and remove answer with the stream of their operation', async () => {
	const done: unknown[] = [];
	const action = async (input: unknown) => (done.push(input), operation);
	const app = { mods: { install: action, remove: action }, live };
	const body = { projectId: 'AANobbMI', planId: 'a'.repeat(32) };
	expect(await (await install(event({ app, body }))).text()).toBe(`stream of ${operation.id}`);
	const remove = { fileNames: ['x.jar'] };
	const answer = await DELETE(event({ app, method: 'DELETE', body: remove }));
	expect(await answer.text()).toBe(`stream of ${operation.id}`);
	expect(done).toEqual([body, remove]);
});

test('a refusal is a problem, before any stream', async () => {
	const refuse = async () => {
		throw new AppError('conflict', 'Changed.', { code: 'plan-changed' });
	};
	const app = { mods: { install: refuse }, live };
	const answer = await install(event({ app, body: { projectId: 'AANobbMI' } }));
	expect(answer.status).toBe(409);
	expect(answer.headers.get('content-type')).toBe('application/problem+json');
	expect(await answer.json()).toMatchObject({ code: 'plan-changed' });
	const wrong = await install(event({ app, body: { projectId: '../x' } }));
	expect(wrong.status).toBe(422);
});

test('a caller with too many open streams is told where to watch what has begun', async () => {
	const watch = async () => {
		throw new AppError('busy', 'Too many streams.');
	};
	const app = { mods: { install: async () => operation }, live: { watch } };
	const answer = await install(event({ app, body: { projectId: 'AANobbMI' } }));
	expect(answer.status).toBe(202);
	expect(answer.headers.get('location')).toBe(`/api/operations/${operation.id}`);
});

test('a patch answers with its operation, and a lock needs none', async () => {
	const patch = async (input: object) => ('locked' in input ? null : operation);
	const ask = (body: object) => PATCH(event({ app: { mods: { patch } }, method: 'PATCH', body }));
	expect((await ask({ fileName: 'x.jar', enabled: false })).status).toBe(202);
	expect(await (await ask({ fileName: 'x.jar', locked: true })).json()).toEqual({ ok: true });
	expect((await ask({ fileName: '../x.jar', enabled: false })).status).toBe(422);
	expect((await ask({ fileName: 'x.jar', enabled: false, locked: true })).status).toBe(422);
});

test('icons are images and nothing else', async () => {
	const found = { bytes: new Uint8Array([1, 2]), type: 'image/png' };
	const app = { mods: { icon: async () => found } };
	const answer = await icon(event({ app, method: 'GET' }, { projectId: 'AANobbMI' }));
	expect(Object.fromEntries(answer.headers)).toMatchObject({
		'content-type': 'image/png',
		'x-content-type-options': 'nosniff'
	});
	expect((await icon(event({ app, method: 'GET' }, { projectId: 'a/b' }))).status).toBe(404);
});

test('an oversized search is refused', async () => {
	const app = { mods: { search: async () => ({}) } };
	const ask = (q: string) => search(event({ app, method: 'GET' }, {}, `?q=${q}`));
	expect((await ask('x'.repeat(201))).status).toBe(422);
	expect((await ask('x'.repeat(200))).status).toBe(200);
});

test('the pack is a download that is fetched once', async () => {
	let opened = 0;
	const pack = {
		...{ etag: '"abc"', bytes: 3, disposition: 'attachment; filename="x.mrpack"' },
		stream: async () => (opened++, new Response('zip').body)
	};
	const app = { modpack: { download: async () => pack } };
	const ask = (headers = {}, method = 'GET') => modpack(event({ app, method, headers }));
	const answer = await ask();
	expect(await answer.text()).toBe('zip');
	expect(Object.fromEntries(answer.headers)).toMatchObject({
		etag: '"abc"',
		'content-length': '3'
	});
	for (const tag of ['"abc"', 'W/"abc"', '"x", "abc"', '*'])
		expect((await ask({ 'if-none-match': tag })).status).toBe(304);
	expect((await ask({ 'if-none-match': '"abcd"' })).status).toBe(200);
	expect((await ask({}, 'HEAD')).body).toBeNull();
	expect(opened).toBe(2);
});
