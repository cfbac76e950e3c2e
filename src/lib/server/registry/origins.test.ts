import { expect, test } from 'vitest';
import { apiRule, fileRule } from './origins.ts';

const publicOne = new URL('https://api.modrinth.com/v2');
const mirror = new URL('http://127.0.0.1:8080/v2');

test.each([
	['https://cdn.modrinth.com/data/x/versions/y/z.jar', 0],
	['https://cdn-raw.modrinth.com/data/x', 0],
	['https://github.com/o/r/releases/download/1/x.jar', 0],
	['https://raw.githubusercontent.com/o/r/x.jar', 1],
	['https://objects.githubusercontent.com/x', 1],
	['https://release-assets.githubusercontent.com/x', 2],
	['https://cdn.modrinth.com:443/x', 0]
])('files come from %s (hop %d), and only from a public address', (url, hop) => {
	expect(fileRule(publicOne)(new URL(url), hop)).toEqual({ anyAddress: false });
	expect(fileRule(mirror)(new URL(url), hop)).toEqual({ anyAddress: false });
});

test.each([
	'http://cdn.modrinth.com/x.jar',
	'https://cdn.modrinth.com:8443/x.jar',
	'https://cdn.modrinth.com./x.jar',
	'https://cdn.modrinth.com.evil.example/x.jar',
	'https://cdn.modrinth.com@evil.example/x.jar',
	'https://user:pw@cdn.modrinth.com/x.jar',
	'https://evil.cdn.modrinth.com/x.jar',
	'https://objects.githubusercontent.com/x.jar',
	'https://127.0.0.1/x.jar',
	'http://127.0.0.1/x.jar',
	'http://0x7f000001/x.jar',
	'http://2130706433/x.jar',
	'http://localhost/x.jar',
	'http://localhost./x.jar',
	'http://[::1]/x.jar',
	'http://169.254.169.254/latest/meta-data',
	'http://10.0.0.1/x.jar',
	'file:///etc/passwd',
	'data:application/java-archive;base64,UEsD',
	'ftp://cdn.modrinth.com/x.jar'
])('%s is refused', (url) => {
	expect(() => fileRule(publicOne)(new URL(url), 0)).toThrow('files are not downloaded from there');
	expect(() => apiRule(publicOne)(new URL(url), 0)).toThrow('not downloaded from');
});

test('a mirror may be anywhere, but only itself', () => {
	const rule = fileRule(mirror);
	expect(rule(new URL('http://127.0.0.1:8080/files/x.jar'), 0)).toEqual({ anyAddress: true });
	for (const url of [
		'http://127.0.0.1:8081/x.jar',
		'http://127.0.0.1/x.jar',
		'https://127.0.0.1:8080/x.jar',
		'http://localhost:8080/x.jar',
		'http://u:p@127.0.0.1:8080/x.jar'
	])
		expect(() => rule(new URL(url), 0), url).toThrow();
});

test('the public registry is only contacted at a public address', () => {
	const url = new URL('https://api.modrinth.com/v2/search');
	expect(apiRule(publicOne)(url, 0)).toEqual({ anyAddress: false });
	expect(apiRule(mirror)(new URL('http://127.0.0.1:8080/v2/x'), 0)).toEqual({ anyAddress: true });
});
