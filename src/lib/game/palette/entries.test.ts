import { expect, test } from 'vitest';
import { marked } from './match.ts';
import { ROWS_MAX, sections, suggestions, type Entry } from './entries.ts';

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

test('words come before what lies inside one, and letters far apart are no word', () => {
	const all = [
		entry('upgrade', 'Before an upgrade of the game', 'Backup'),
		entry('backup', 'Back up now', 'Server'),
		entry('urban', 'Urban Builder', 'Player'),
		entry('bane', 'Bane of Beasts', 'Mod', ['bane.jar']),
		entry('bans', 'Players: Bans'),
		entry('keeper', 'Lantern Keeper', 'Mod', ['ban'])
	];
	const found = (search: string) => sections([], all, search, [])[0]?.entries.map(({ id }) => id);
	expect(found('ban')).toEqual(['keeper', 'bans', 'bane']);
	expect(found('uild')).toEqual(['urban']);
	// In commands and pages, letters within a word mean nothing.
	expect(sections(all, [], 'uild', [])).toEqual([]);
	expect(found('bans')?.[0]).toBe('bans');
	expect(found('beast bane')).toEqual(['bane']);
	expect(found('bld')).toBeUndefined();
	expect(found('bld game')).toBeUndefined();
});

test('a slip in a word of five letters or more is forgiven, never for what is risky', () => {
	const all = [
		{ ...entry('stop', 'Stop the server…', 'Server', ['stop']), risky: true as const },
		entry('backups', 'Backups'),
		entry('m', 'Lithium', 'Mod')
	];
	const found = (search: string) => sections(all, [], search, [])[0]?.entries.map(({ id }) => id);
	expect(found('litium')).toEqual(['m']);
	expect(found('lihtium')).toEqual(['m']);
	expect(found('bakcups')).toEqual(['backups']);
	expect(found('stopp')).toBeUndefined();
	expect(found('lith1um99')).toBeUndefined();
});

test('what is risky is not selected unless its name or a word for it was typed, and comes last unless that is begun', () => {
	const all = [
		{ ...entry('stop', 'Stop the server…', 'Server', ['shut down']), risky: true as const },
		entry('stones', 'Stones and more', 'Mod')
	];
	const found = (search: string) =>
		sections(all, [], search, [])[0]?.entries.map(({ id, risky }) => [id, !!risky]);
	expect(found('st')).toEqual([
		['stones', false],
		['stop', true]
	]);
	expect(found('sto')?.[0]).toEqual(['stop', true]);
	expect(found('shut')?.[0]).toEqual(['stop', true]);
	// On the way from one name of it to another it stays where it is, and is not selected.
	expect(found('stop s')?.[0]).toEqual(['stop', true]);
	expect(found('stop')).toEqual([['stop', false]]);
	expect(found('shut down')).toEqual([['stop', false]]);
	expect(found('stop the server')).toEqual([['stop', false]]);
});

test('nonsense finds nothing, and suggests a few things that do no harm', () => {
	const risky = { ...entry('r', 'Stop the server…', 'Server'), risky: true as const };
	const commands = [risky, ...COMMANDS.slice(0, 2)];
	expect(sections(commands, THINGS, 'stopp', [])).toEqual([]);
	const suggested = (search: string) => suggestions(commands, THINGS, search).map(({ id }) => id);
	expect(suggested('litter')).toEqual(['m', 'a', 'b']);
	expect(suggested('zzz')).toEqual(['a', 'b', 'm']);
	expect(suggested('stopp')).not.toContain('r');
});

test('a name that begins with what was typed, small words and all, comes before what only means the same', () => {
	const now = entry('now', 'Back up now', 'Server', ['backup']);
	const made = entry('made', 'Backup of 3 May', 'Backup');
	const found = (search: string) => sections([now], [made], search, [])[0]?.entries[0]?.id;
	expect(found('backup')).toBe('now');
	expect(found('backup of')).toBe('made');
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
	expect(found('mossfeather kick')).toEqual(['kick:moss']);
	expect(found('ban')).toBeUndefined();
	expect(found('ban plover')).toEqual(['p']);
});

test('of equally good ones what does something comes before a page', () => {
	const page = entry('page', 'Players: Whitelist');
	const command = entry('command', 'Someone: whitelist', 'Players');
	expect(ids(sections([page, command], [], 'whitelist', []))[0]![1]).toEqual(['command', 'page']);
});

test('words that follow a verb are taken along', () => {
	const says: Entry = {
		...entry('say', 'Say something…', 'Chat', ['say', 'send message']),
		fill: ({ text }) =>
			text === null ? null : { label: `Say “${text}”`, to: `/chat?${text}`, by: 'text' }
	};
	const found = (search: string) =>
		sections([says], THINGS, search, [])[0]?.entries.map(({ label }) => label);
	expect(found('say')).toEqual(['Say something…']);
	expect(found('say Hello there')).toEqual(['Say “Hello there”']);
	expect(found('send message hi')).toEqual(['Say “hi”']);
});

test('what was typed is marked in the label, from the beginning of a word', () => {
	const one = (label: string, search: string) => marked(label, search).join('|');
	expect(one('Back up now', 'back')).toBe('|Back| up now');
	expect(one('Update Lithium…', 'lith up')).toBe('|Up|date |Lith|ium…');
	expect(one('Mossfeather', 'feather')).toBe('Mossfeather');
	expect(one('How fast the server runs', 'lag')).toBe('How fast the server runs');
	expect(one('a (b)', '(b')).toBe('a |(b|)');
	expect(one('Overview', ' ')).toBe('Overview');
});
