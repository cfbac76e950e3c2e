import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startDashboard, type Dashboard } from '../harness.ts';

/** Like fetch, but with any Host. */
function ask(dashboard: Dashboard, headers: Record<string, string>): Promise<string> {
	const { port } = new URL(dashboard.url);
	return new Promise((resolve, reject) => {
		const sent = request({ port, host: '127.0.0.1', path: '/', headers }, (response) => {
			let text = '';
			response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
			response.on('end', () => resolve(text));
		});
		sent.on('error', reject);
		sent.end();
	});
}
const tag = (html: string, name: string) =>
	new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`).exec(html)?.[1];

describe('the preview picture', () => {
	let dashboard: Dashboard;
	beforeAll(async () => (dashboard = await startDashboard()));
	afterAll(() => dashboard?.dispose());
	const get = (query = '', init: RequestInit = {}) =>
		fetch(`${dashboard.url}/og.png${query}`, init);

	test('is a PNG of 1200 by 630 that caches keep for a minute and revalidate by its tag', async () => {
		const answer = await get();
		const bytes = Buffer.from(await answer.arrayBuffer());
		expect(answer.status).toBe(200);
		expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
		const { headers } = answer;
		expect(headers.get('content-type')).toBe('image/png');
		expect(headers.get('content-length')).toBe(String(bytes.length));
		expect(headers.get('cache-control')).toBe('public, max-age=60');
		expect(headers.get('x-content-type-options')).toBe('nosniff');
		expect(headers.get('set-cookie')).toBeNull();
		const etag = headers.get('etag')!;
		for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
			const again = await get('', { headers: { 'if-none-match': known } });
			expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([
				304,
				'',
				etag
			]);
		}
		const head = await get('', { method: 'HEAD' });
		expect([head.status, await head.text(), head.headers.get('content-length')]).toEqual([
			200,
			'',
			String(bytes.length)
		]);
		expect((await get('', { method: 'PUT', headers: { origin: dashboard.url } })).status).toBe(405);
	});

	test('is the same for every query, however many ask', async () => {
		const hash = async (query: string) =>
			createHash('sha1')
				.update(Buffer.from(await (await get(query)).arrayBuffer()))
				.digest('hex');
		const queries = Array.from({ length: 100 }, (_, i) => `?title=${i}&url=http://127.0.0.1:9/`);
		expect(new Set(await Promise.all(queries.map(hash))).size).toBe(1);
	});
});

describe('the tags of the public page', () => {
	async function started(env: Record<string, string>) {
		const dashboard = await startDashboard({ env });
		onTestFinished(dashboard.dispose);
		return dashboard;
	}
	const PROXIED = {
		host: 'inner',
		'x-forwarded-host': 'mc.example.org',
		'x-forwarded-proto': 'https'
	};
	const picture = (html: string) => [tag(html, 'og:image'), tag(html, 'twitter:image')];
	const both = (address: string) => [`${address}/og.png`, `${address}/og.png`];

	test('contain full addresses: of the request, and of a trusted proxy', async () => {
		const direct = await started({ HOST: '0.0.0.0' });
		expect(picture(await ask(direct, { host: '192.0.2.7:3000' }))).toEqual(
			both('http://192.0.2.7:3000')
		);
		expect(picture(await ask(direct, PROXIED))).toEqual(both('http://inner'));
		const behind = await started({ HOST: '0.0.0.0', TRUST_PROXY: '127.0.0.1' });
		const html = await ask(behind, PROXIED);
		expect(picture(html)).toEqual(both('https://mc.example.org'));
		expect(tag(html, 'og:url')).toBe('https://mc.example.org/');
		expect(tag(html, 'twitter:card')).toBe('summary_large_image');
	});

	test('use PUBLIC_URL before anything else, and a hostile name as text', async () => {
		const dashboard = await started({
			PUBLIC_URL: 'https://mc.example.org:8443',
			SERVER_NAME: '"><script>x()</script>'
		});
		const html = await ask(dashboard, { host: new URL(dashboard.url).host });
		expect(picture(html)).toEqual(both('https://mc.example.org:8443'));
		expect(tag(html, 'og:title')).toMatch(/^&quot;(>|&gt;)&lt;script/);
		expect(html).not.toContain('<script>x()');
		expect((await fetch(`${dashboard.url}/og.png`)).status).toBe(200);
	});
});
