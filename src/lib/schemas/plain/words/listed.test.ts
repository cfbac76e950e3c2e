import { expect, test } from 'vitest';
import { listed } from './listed.ts';

test.each([
	[[], ''],
	[['a'], 'a'],
	[['a', 'b'], 'a and b'],
	[['a', 'b', 'c'], 'a, b and c'],
	[['a', 'b', 'c', 'd'], 'a, b, c and 1 more'],
	[['a', 'b', 'c', 'd', 'e'], 'a, b, c and 2 more']
])('%j is %s', (names, sentence) => expect(listed(names, 3)).toBe(sentence));
