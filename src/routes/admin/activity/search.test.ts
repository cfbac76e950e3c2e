import { expect, test } from 'vitest';
import { shows } from './search.ts';

test('every word has to be there, in any order and case', () => {
	const row = ['Ban player PebbleWick', 'by ada', null];
	for (const q of ['', 'pebble', 'ADA ban', 'wick by']) expect(shows(row, q), q).toBe(true);
	for (const q of ['bob', 'ban bob', 'null']) expect(shows(row, q), q).toBe(false);
});
