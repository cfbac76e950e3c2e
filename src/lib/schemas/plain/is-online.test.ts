import { expect, test } from 'vitest';
import { isOnline } from './is-online.ts';

const ANA = { name: 'Ana', uuid: 'a' };

test('somebody is online by their id, whatever they are called, and by their name where there are no ids', () => {
	expect(isOnline([{ name: 'Renamed', uuid: 'a' }], ANA)).toBe(true);
	expect(isOnline([{ name: 'Ana', uuid: 'b' }], ANA)).toBe(false);
	expect(isOnline([{ name: 'Ana', uuid: null }], ANA)).toBe(true);
	expect(isOnline([], ANA)).toBe(false);
});
