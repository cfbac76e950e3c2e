import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compress } from './compress.ts';

const LONG = JSON.stringify({ text: 'abc '.repeat(1000) });
const ask = (acceptEncoding: string | null, method = 'GET') =>
	new Request('http://here/', {
		method,
		headers: acceptEncoding === null ? {} : { 'accept-encoding': acceptEncoding }
	});
const answer = (headers: Record<string, string>, body: BodyInit = LONG) =>
	new Response(body, { status: 409, headers });
const html = { 'content-type': 'text/html; charset=utf-8', 'content-length': String(LONG.length) };

test.each([
	{ 'content-type': 'application/json' },
	{ 'content-type': 'application/problem+json' },
	html
])('a long answer of %j is compressed, status and headers stay', async (headers) => {
	const zipped = await compress(
		answer({ ...headers, vary: 'Cookie', etag: '"x"' }),
		ask('br, gzip')
	);
	expect(zipped.status).toBe(409);
	expect(zipped.headers.get('vary')).toBe('Cookie, Accept-Encoding');
	expect(zipped.headers.get('content-encoding')).toBe('gzip');
	const bytes = await zipped.bytes();
	expect(zipped.headers.get('content-length')).toBe(String(bytes.length));
	expect(gunzipSync(bytes).toString()).toBe(LONG);
});

test('several cookies are kept', async () => {
	const response = answer({ 'content-type': 'application/json' });
	response.headers.append('set-cookie', 'a=1');
	response.headers.append('set-cookie', 'b=2');
	expect((await compress(response, ask('gzip'))).headers.getSetCookie()).toEqual(['a=1', 'b=2']);
});

test.each([
	['a stream', { 'content-type': 'text/event-stream' }, 'gzip'],
	['a page that is still being streamed', { 'content-type': 'text/html' }, 'gzip'],
	['a picture', { 'content-type': 'image/png' }, 'gzip'],
	['what is zipped already', { ...html, 'content-encoding': 'br' }, 'gzip'],
	['what must not change', { ...html, 'cache-control': 'no-transform' }, 'gzip'],
	['an answer for who takes none', html, null],
	['an answer for who refuses it', html, 'br, gzip;q=0']
])('%s is left alone', async (_, headers, accepts) => {
	const response = answer(headers as Record<string, string>);
	expect(await compress(response, ask(accepts))).toBe(response);
});

test('short answers and answers without a body are left alone', async () => {
	const json = { 'content-type': 'application/json' };
	const short = await compress(answer(json, '{}'), ask('gzip'));
	expect(short.headers.has('content-encoding')).toBe(false);
	expect(await short.text()).toBe('{}');
	const empty = new Response(null, { status: 204 });
	expect(await compress(empty, ask('gzip'))).toBe(empty);
	expect((await compress(answer(json), ask('gzip', 'HEAD'))).headers.has('content-encoding')).toBe(
		false
	);
});
