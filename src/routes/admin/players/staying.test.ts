import { expect, test } from 'vitest';
import type { Person } from '$lib/game/players/player-lists';
import { staying } from './staying';

const person = (name: string, online: boolean): Person => ({
	name,
	...{ uuid: `id of ${name}`, online, since: null, lastSeenAt: null, joinedAt: null },
	...{ op: null, whitelisted: false, ban: null }
});
const list = (online: string, offline = '') => [
	...[...online].map((name) => person(name, true)),
	...[...offline].map((name) => person(name, false))
];
/** Who has left is in lower case. */
const shown = (rows: Person[]) =>
	rows.map(({ name, leftAt }) => (leftAt === undefined ? name : name!.toLowerCase())).join('');

test('who has left keeps their place for five seconds, while the others keep theirs', () => {
	let rows = staying(list('ABCD', 'X'), list('ACD', 'BX'), 0, false);
	expect(shown(rows)).toBe('AbCDX');
	rows = staying(rows, list('AD', 'CBX'), 3000, false);
	expect(shown(rows)).toBe('AbcDX');
	// Whoever comes is behind those who are here.
	rows = staying(rows, list('ADE', 'CBX'), 4999, false);
	expect(shown(rows)).toBe('AbcDEX');
	rows = staying(rows, list('ADE', 'CBX'), 5000, false);
	expect(shown(rows)).toBe('AcDEBX');
	expect(shown(staying(rows, list('ADE', 'CBX'), 8000, false))).toBe('ADECBX');
});

test('whoever comes meanwhile pushes nobody down, wherever they belong', () => {
	let rows = staying(list('CDE'), list('DE', 'C'), 0, false);
	for (const now of [1000, 2000]) rows = staying(rows, list('ADE', 'C'), now, false);
	expect(shown(rows)).toBe('cDEA');
	expect(shown(staying(rows, list('ADE', 'C'), 5000, false))).toBe('DEAC');
});

test('nothing goes while somebody presses', () => {
	const rows = staying(list('AB'), list('B', 'A'), 0, true);
	expect(shown(staying(rows, list('B', 'A'), 60_000, true))).toBe('aB');
	expect(shown(staying(rows, list('B', 'A'), 60_000, false))).toBe('BA');
});

test('who comes back is here, and is there once', () => {
	const rows = staying(list('AB'), list('B', 'A'), 0, false);
	expect(shown(staying(rows, list('AB'), 1000, false))).toBe('AB');
});

test('somebody whose id becomes known has not left, and who is known to nobody any more stays as well', () => {
	const before = [{ ...person('A', true), uuid: null }, person('B', true)];
	expect(shown(staying(before, list('AB'), 0, false))).toBe('AB');
	expect(shown(staying(before, list('B'), 0, false))).toBe('aB');
});

test('who was offline before has not just left, also when they are taken off a list', () => {
	expect(shown(staying(list('A', 'BC'), list('A', 'C'), 0, false))).toBe('AC');
});
