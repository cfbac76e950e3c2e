import { expect, test } from 'vitest';
import { ROWS_MAX, sections, type Entry } from './entries.ts';

const entry = (id: string, label: string, kind = 'Pages', words: string[] = []): Entry => ({
	id,
	label,
	kind,
	words,
	to: `/${id}`
});
const COMMANDS = [entry('a', 'Overview'), entry('b', 'Players'), entry('c', 'Stop', 'Server')];
const THINGS = [entry('m', 'Lithium', 'Mod', ['lithium-0.13.jar']), entry('p', 'Plover', 'Player')];
const ids = (all: ReturnType<typeof sections>) =>
	all.map(({ title, entries }) => [title, entries.map(({ id }) => id)]);

test('without a search: recent choices come first, once, then the commands by kind', () => {
	expect(ids(sections(COMMANDS, THINGS, '  ', ['m', 'b', 'gone']))).toEqual([
		['Recent', ['m', 'b']],
		['Pages', ['a']],
		['Server', ['c']]
	]);
});

test('a search finds scattered letters and keywords, and prefers earlier choices', () => {
	expect(ids(sections(COMMANDS, THINGS, 'lthm', []))).toEqual([['Found', ['m']]]);
	expect(ids(sections(COMMANDS, THINGS, '0.13', []))).toEqual([['Found', ['m']]]);
	expect(ids(sections(COMMANDS, THINGS, 'pl', []))[0]![1]).toEqual(['b', 'p']);
	expect(ids(sections(COMMANDS, THINGS, 'pl', ['p']))[0]![1]).toEqual(['p', 'b']);
	expect(sections(COMMANDS, THINGS, 'xyz', [])).toEqual([]);
});

test('of very many only the best are shown', () => {
	const many = Array.from({ length: 2000 }, (_, i) => entry(`${i}`, `Mod number ${i}`, 'Mod'));
	const [found] = sections([], many, 'number 1999', []);
	expect(found!.entries.length).toBeLessThanOrEqual(ROWS_MAX);
	expect(found!.entries[0]!.id).toBe('1999');
});
