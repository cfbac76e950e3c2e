import { expect, test } from 'vitest';
import { duration } from './duration.ts';

test.each([
	[0, '0 ms'],
	[449.6, '450 ms'],
	[999.7, '1 s'],
	[4240, '4.2 s'],
	[9949, '9.9 s'],
	[9960, '10 s'],
	[59_499, '59 s'],
	[59_600, '1 min'],
	[125_000, '2 min 5 s'],
	[3_599_600, '1 h'],
	[4_200_000, '1 h 10 min'],
	[86_370_000, '1 d'],
	[273_600_000, '3 d 4 h'],
	[-1, '–'],
	[null, '–']
])('duration(%j) is %s', (value, text) => expect(duration(value)).toBe(text));
