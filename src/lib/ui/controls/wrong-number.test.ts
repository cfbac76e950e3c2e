import { expect, test } from 'vitest';
import { wrongNumber } from './wrong-number';

test('what is wrong with a number is said in our own words', () => {
	const fine = { valueMissing: false, rangeUnderflow: false, rangeOverflow: false };
	const said = (wrong: Partial<typeof fine>) =>
		wrongNumber({ ...fine, ...wrong }, { min: 7, max: 400 });
	expect(said({ valueMissing: true })).toBe('A number is needed');
	expect(said({ rangeUnderflow: true })).toBe('At least 7');
	expect(said({ rangeOverflow: true })).toBe('At most 400');
	expect(said({})).toBe('A whole number');
});
