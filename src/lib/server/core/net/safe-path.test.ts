import { describe, expect, test } from 'vitest';
import { safePath } from './safe-path.ts';

const HERE = 'https://dash.example';

describe('a path to go to after signing in', () => {
	test.each(['/', '/admin', '/admin/players?q=a%20b&x=1#top', '/admin/operations/20260102T0-1a2b'])(
		'%s is kept unchanged',
		(path) => expect(safePath(path, '/other')).toBe(path)
	);

	test('other letters come back encoded, with dots resolved', () => {
		expect(safePath('/admin/ü')).toBe('/admin/%C3%BC');
		expect(safePath('/admin/../admin')).toBe('/admin');
	});

	test.each([
		'//evil.example',
		'///evil.example',
		'/\\evil.example',
		'\\\\evil.example',
		'https:evil.example',
		'https://evil.example',
		'https://dash.example@evil.example',
		'\t//evil.example',
		'/\t/evil.example',
		'/\n//evil.example',
		' /admin',
		'javascript:alert(1)',
		'data:text/html,x',
		'%2f%2fevil.example',
		'/%2fevil.example',
		'/%5cevil.example',
		'/%09/evil.example',
		'/%0a%0d/evil.example',
		'/..//evil.example',
		'/.//evil.example',
		'/a/..//evil.example',
		'/%',
		'/%ff',
		'/%zz',
		'',
		'admin',
		'?x',
		`/${'a'.repeat(10_000)}`,
		`/${'%41'.repeat(3000)}`,
		`/${'/'.repeat(10_000)}`
	])('%j is not followed', (value) => expect(safePath(value, '/admin')).toBe('/admin'));

	test.each([null, undefined, 1, {}, ['/admin']])('%j is not a path', (value) =>
		expect(safePath(value)).toBe('/')
	);

	test('however dangerous the pieces, the answer stays on this origin and is plain ASCII', () => {
		const pieces =
			'/ \\ // /\\ . .. ? # : @ % %2f %5c %09 %0d%0a \t \n \0 \u2028 \u00a0 ／ evil.example https: javascript: a [ ] ; %e2%80%a8 &'.split(
				' '
			);
		let seed = 42;
		const random = (n: number) => (seed = (seed * 1103515245 + 12345) % 2 ** 31) % n;
		for (let i = 0; i < 50_000; i++) {
			const text = Array.from({ length: 1 + random(6) }, () => pieces[random(pieces.length)]);
			const path = safePath(text.join(''), '/fallback');
			expect(path).toMatch(/^\/(?![/\\])[\x21-\x7e]*$/);
			if (new URL(path, HERE).origin !== HERE) throw new Error(JSON.stringify(text));
		}
	});
});
