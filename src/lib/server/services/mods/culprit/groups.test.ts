import { expect, test } from 'vitest';
import { groupsOf } from './groups.ts';

/** Each declares what it needs; a problem is a missing dependency. */
const look = (needs: Record<string, string[]>) => (on: string[]) =>
	new Set(
		on.flatMap((one) =>
			(needs[one] ?? [])
				.filter((other) => !on.includes(other))
				.map((other) => `${one} needs ${other}`)
		)
	);
const shown = (groups: ReturnType<typeof groupsOf>) =>
	groups.map(({ files, needs }) => [
		files.join('+'),
		needs.map((one) => one.files.join('+')).sort()
	]);

test('dependencies come before what needs them, transitively too', () => {
	const groups = groupsOf(
		['user', 'middle', 'library', 'alone'],
		look({ user: ['middle'], middle: ['library'] })
	);
	expect(shown(groups)).toEqual([
		['library', []],
		['alone', []],
		['middle', ['library']],
		['user', ['library', 'middle']]
	]);
});

test('those that need each other form one group', () => {
	const groups = groupsOf(['a', 'b', 'c'], look({ a: ['b'], b: ['a'], c: ['a'] }));
	expect(shown(groups)).toEqual([
		['a+b', []],
		['c', ['a+b']]
	]);
});

test('a dependency missing in every case binds nobody', () => {
	expect(shown(groupsOf(['a', 'b'], look({ a: ['nowhere'] })))).toEqual([
		['a', []],
		['b', []]
	]);
});
