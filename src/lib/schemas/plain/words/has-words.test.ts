import { expect, test } from 'vitest';
import { hasWords } from './has-words.ts';

test('every word has to be there, in any order and case', () => {
	const row = ['Ban player PebbleWick', 'by ada', null];
	for (const q of ['', ' ', 'pebble', 'ADA ban', 'wick by '])
		expect(hasWords(row, q), q).toBe(true);
	for (const q of ['bob', 'ban bob', 'null']) expect(hasWords(row, q), q).toBe(false);
});
