import { afterEach, beforeEach, expect, test, vi } from 'vitest';

vi.mock('$app/environment', () => ({ version: 'build-7' }));

let sent: { url: string; init: RequestInit; body: Record<string, string> }[];
let report: (cause: unknown, kind: string) => void;
let answer: () => Promise<Response>;
beforeEach(async () => {
	sent = [];
	answer = async () => new Response(null, { status: 204 });
	vi.stubGlobal('location', { pathname: '/admin/mods' });
	vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
		sent.push({ url, init, body: JSON.parse(String(init.body)) });
		return answer();
	});
	vi.resetModules();
	({ report } = await import('./error-report'));
});
afterEach(() => vi.unstubAllGlobals());

test('an error is reported once, even when the page is being left', () => {
	const cause = new TypeError('x is not a function');
	report(cause, 'error');
	report(cause, 'error');
	expect(sent).toHaveLength(1);
	expect(sent[0]).toMatchObject({
		url: '/api/errors',
		init: { method: 'POST', keepalive: true },
		body: {
			message: 'TypeError: x is not a function',
			url: '/admin/mods',
			kind: 'error',
			release: 'build-7'
		}
	});
	expect(sent[0]!.body['stack']).toContain('error-report.test');
	expect(sent[0]!.body['fingerprint']).toMatch(/^[0-9a-f]{8}$/);
});

test('anything thrown can be reported, cut to what the server keeps', () => {
	const loop: Record<string, unknown> = {};
	loop['self'] = loop;
	const causes = ['text', null, undefined, 7, { message: 'like an error' }, { code: 1 }, loop];
	for (const cause of [...causes, new Error('y'.repeat(9000)), Object.create(null)])
		expect(() => report(cause, 'rejection')).not.toThrow();
	const messages = sent.map(({ body }) => body['message']);
	expect(messages).toEqual(
		expect.arrayContaining(['text', 'null', 'undefined', '7', 'like an error', '{"code":1}'])
	);
	for (const message of messages) expect(message!.length).toBeLessThanOrEqual(500);
});

test('a page with an endless series of different errors stops reporting', () => {
	for (let i = 0; i < 500; i++) report(new Error(`number ${i}`), 'error');
	expect(sent).toHaveLength(50);
});

test('what the server already knows, and what extensions and the browser itself complain about, is not reported', () => {
	report({ message: 'Something went wrong on our side.', id: '0a1b2c3d' }, 'rejection');
	report('Script error.', 'error');
	report('ResizeObserver loop completed with undelivered notifications.', 'error');
	const foreign = new Error('theirs');
	foreign.stack = 'Error: theirs\n    at chrome-extension://abc/x.js:1:1';
	report(foreign, 'error');
	expect(sent).toEqual([]);
});

test('a report that cannot be sent is not an error', async () => {
	const unhandled = vi.fn();
	process.on('unhandledRejection', unhandled);
	answer = () => Promise.reject(new TypeError('Failed to fetch'));
	report(new Error('lost'), 'error');
	await new Promise((resolve) => setImmediate(resolve));
	process.off('unhandledRejection', unhandled);
	expect(sent).toHaveLength(1);
	expect(unhandled).not.toHaveBeenCalled();
});
