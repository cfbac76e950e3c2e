import { expect, test } from 'vitest';
import { createLru } from './lru.ts';

test('holds a limited number, and drops the least recently used', () => {
	const lru = createLru<string, number>(2);
	lru.set('a', 1);
	lru.set('b', 2);
	expect(lru.get('a')).toBe(1);
	lru.set('c', 3);
	expect(['a', 'b', 'c'].map(lru.get)).toEqual([1, undefined, 3]);
	lru.set('a', 4);
	expect([lru.size, lru.get('a')]).toEqual([2, 4]);
	lru.delete('a');
	expect([lru.size, lru.get('a')]).toEqual([1, undefined]);
});

test('holds a limited weight, and nothing that exceeds it alone', () => {
	const lru = createLru<string, string>(10, { of: (text) => text.length, max: 6 });
	lru.set('a', 'four');
	lru.set('b', 'x');
	lru.set('a', 'xx');
	lru.set('c', 'xxx');
	expect(lru.size).toBe(3);
	lru.set('d', 'x');
	expect(['a', 'b', 'c', 'd'].map(lru.get)).toEqual(['xx', undefined, 'xxx', 'x']);
	lru.delete('c');
	lru.delete('nothing');
	lru.set('e', 'xxx');
	expect(['a', 'd', 'e'].map(lru.get)).toEqual(['xx', 'x', 'xxx']);
	lru.set('f', 'too heavy');
	expect([lru.get('f'), lru.size]).toEqual([undefined, 0]);
	lru.set('g', 'again');
	expect(lru.get('g')).toBe('again');
});
