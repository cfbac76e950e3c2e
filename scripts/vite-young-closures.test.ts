import { expect, test } from 'vitest';
import { inList } from './vite-young-closures.ts';

test('a function that throws is set from a list, and still throws', () => {
	const code = `event.cookies.set = () => {
		throw new Error('too late (...)');
	};`;
	expect(inList(code)).toBe(`event.cookies.set = [() => {
		throw new Error('too late (...)');
	}][0];`);
	const event = { cookies: { set: () => {} } };
	new Function('event', inList(code))(event);
	expect(() => event.cookies.set()).toThrow('too late');
});

test('whatever else is set stays as it is', () => {
	const code = 'event.fetch = () => fetched; event.url = url; const done = () => { throw it; };';
	expect(inList(code)).toBe(code);
});
