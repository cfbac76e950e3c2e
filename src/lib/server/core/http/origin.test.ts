import { describe, expect, test } from 'vitest';
import { createHostCheck, requireOwnOrigin } from './origin.ts';

const check = (host: string, publicUrl: string | null) =>
	createHostCheck({ host, publicUrl: publicUrl ? new URL(publicUrl) : null }, 'Castle');
const nameOf = (host: string) => new URL(`http://${host}/`).hostname;

describe('the host names we accept', () => {
	test.each([
		'localhost:3000',
		'127.0.0.1',
		'[::1]:3000',
		'LOCALHOST',
		'localhost.',
		'a.localhost'
	])('%s is ours when we listen on this machine only', (host) =>
		expect(check('127.0.0.1', null)(nameOf(host))).toBe(true)
	);
	test.each([
		'evil.example',
		'192.0.2.1',
		'localhost.evil.example',
		'127.0.0.1.evil.example',
		'castle'
	])('%s is not', (host) => expect(check('::1', null)(nameOf(host))).toBe(false));
	test('the public address is, behind a proxy on this machine', () => {
		const isOurs = check('localhost', 'https://mc.example.org');
		expect(isOurs('mc.example.org')).toBe(true);
		expect(isOurs('www.mc.example.org')).toBe(false);
	});
	test('on a network without a public address any name may be ours', () => {
		expect(check('0.0.0.0', null)('whatever.lan')).toBe(true);
	});
	test('with a public address only it, addresses, localhost and the machine are', () => {
		const isOurs = check('::', 'https://mc.example.org:8443');
		for (const host of ['mc.example.org:1', '192.0.2.1', '[2001:db8::1]', 'castle', 'castle.local'])
			expect(isOurs(nameOf(host)), host).toBe(true);
		for (const host of ['evil.example', 'example.org', 'xmc.example.org', 'castle.evil.example'])
			expect(isOurs(nameOf(host)), host).toBe(false);
	});
});

describe('where a writing request comes from', () => {
	const from = (origin: string | null, { method = 'POST', publicUrl = '' } = {}) => {
		const headers = new Headers(origin === null ? {} : { origin });
		const request = new Request('http://10.0.0.5:3000/admin', { method, headers });
		return () =>
			requireOwnOrigin(request, new URL(request.url), publicUrl ? new URL(publicUrl) : null);
	};
	test('our own origin may write', () => expect(from('http://10.0.0.5:3000')).not.toThrow());
	test('the public address may, when a proxy in front speaks https', () =>
		expect(from('https://mc.example.org', { publicUrl: 'https://mc.example.org' })).not.toThrow());
	test.each([
		null,
		'null',
		'',
		'https://10.0.0.5:3000',
		'http://10.0.0.5',
		'http://10.0.0.5:3001',
		'http://10.0.0.5:3000.evil.example',
		'http://sub.10.0.0.5:3000',
		'http://evil.example'
	])('%j may not', (origin) => {
		for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
			expect(from(origin, { method })).toThrow(expect.objectContaining({ kind: 'forbidden' }));
	});
	test('reads are not checked', () => {
		for (const method of ['GET', 'HEAD'])
			expect(from('http://evil.example', { method })).not.toThrow();
	});
});
