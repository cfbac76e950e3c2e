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

test('a search finds words and keywords, and of equally good ones what was chosen lately comes first', () => {
	expect(ids(sections(COMMANDS, THINGS, '0.13', []))).toEqual([['Found', ['m']]]);
	expect(ids(sections(COMMANDS, THINGS, 'pl', []))[0]![1]).toEqual(['b', 'p']);
	expect(ids(sections(COMMANDS, THINGS, 'pl', ['p']))[0]![1]).toEqual(['p', 'b']);
	expect(sections(COMMANDS, THINGS, 'xyz', [])).toEqual([]);
});

test('words come before what lies inside one, and scattered letters only when nothing else fits', () => {
	const all = [
		entry('upgrade', 'Before an upgrade of the game', 'Backup'),
		entry('backup', 'Back up now', 'Server'),
		entry('urban', 'Urban Builder', 'Player'),
		entry('bane', 'Bane of Beasts', 'Mod', ['bane.jar']),
		entry('bans', 'Players: Bans'),
		entry('keeper', 'Lantern Keeper', 'Mod', ['ban'])
	];
	const found = (search: string) => sections(all, [], search, [])[0]?.entries.map(({ id }) => id);
	expect(found('ban')).toEqual(['bane', 'bans', 'keeper', 'urban']);
	expect(found('bans')).toEqual(['bans']);
	expect(found('beast bane')).toEqual(['bane']);
	expect(found('bld')).toEqual(['urban']);
	expect(found('bans game')).toBeUndefined();
});

test('of very many only the best are shown', () => {
	const many = Array.from({ length: 2000 }, (_, i) => entry(`${i}`, `Mod number ${i}`, 'Mod'));
	const [found] = sections([], many, 'number 1999', []);
	expect(found!.entries.length).toBeLessThanOrEqual(ROWS_MAX);
	expect(found!.entries[0]!.id).toBe('1999');
});

test('a verb before a name finds what can be done with it, and nothing without one', () => {
	const verbs = [
		{ verb: 'ban', label: 'Ban Mossfeather…', risky: true as const, to: '/ban' },
		{ verb: 'kick', label: 'Kick Mossfeather…', risky: true as const, to: '/kick' }
	];
	const things = [{ ...entry('moss', 'Mossfeather', 'Player'), verbs }, ...THINGS];
	const found = (search: string) =>
		sections(COMMANDS, things, search, [])[0]?.entries.map(({ id }) => id);
	expect(found('moss')).toEqual(['moss']);
	expect(found('ban moss')).toEqual(['ban:moss']);
	expect(found('Ki mossf')).toEqual(['kick:moss']);
	expect(found('ban')).toBeUndefined();
	expect(found('ban plover')).toBeUndefined();
});

test('of equally good ones what does something comes before a page', () => {
	const page = entry('page', 'Players: Whitelist');
	const command = entry('command', 'Someone: whitelist', 'Players');
	expect(ids(sections([page, command], [], 'whitelist', []))[0]![1]).toEqual(['command', 'page']);
});

test('what begins like something that is meant more often waits for more letters', () => {
	const all = [{ ...entry('out', 'Log out', 'Dashboard'), least: 4 }, entry('logs', 'Logs')];
	const found = (search: string) => ids(sections(all, [], search, []))[0]![1];
	expect(found('log')).toEqual(['logs']);
	expect(found('log o')?.[0]).toBe('out');
});
