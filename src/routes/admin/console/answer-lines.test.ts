import { expect, test } from 'vitest';
import { inLines, isRefused } from './answer-lines.ts';

const shown = (command: string, text: string) => inLines(command, [{ text }])[0]!.text;

test('the list of commands has a line for each', () => {
	const joined = '/advancement (grant|revoke)/attribute <target> <attribute>/ban <targets>//wand';
	expect(shown('help', joined)).toBe(
		'/advancement (grant|revoke)\n/attribute <target> <attribute>\n/ban <targets>\n//wand'
	);
	expect(shown('/help 2', '/a/b')).toBe('/a\n/b');
	const lines = '/a <x>\n/b <y>';
	expect(shown('help', lines)).toBe(lines);
});

test('what is wrong with a command stands below the words for it', () => {
	const words = 'Unknown or incomplete command, see below for error';
	expect(shown('foo bar', `${words}foo bar<--[HERE]`)).toBe(`${words}\nfoo bar<--[HERE]`);
	expect(shown('time set x', 'Incorrect argument for commandtime set x<--[HERE]')).toBe(
		'Incorrect argument for command\ntime set x<--[HERE]'
	);
});

test('no other answer is altered', () => {
	for (const text of [
		'There are 2/20 players: a/b, /home/ada',
		'Ada said: see below for errorfoo<--[HERE]',
		'Unknown or incomplete command, see below for error\nfoo<--[HERE]'
	])
		expect(shown('list', text)).toBe(text);
	const spans = [{ text: 'red', color: 'red' as const }];
	expect(inLines('say help', spans)).toEqual(spans);
});

test('an answer that refuses a command is known in the words of each version, and in parts', () => {
	const refused = (...texts: string[]) => isRefused(texts.map((text) => ({ text })));
	for (const text of [
		'Unknown or incomplete command. See below for errorlis<--[HERE]',
		'Incorrect argument for command...ime set x<--[HERE]',
		'Expected literal set<--[HERE]\n',
		'Unknown command. Try /help for a list of commands',
		'Unknown command',
		'No player was found'
	])
		expect(refused(text), text).toBe(true);
	expect(refused('Unknown or incomplete command, see below for error\nfo', 'o', '<--[HERE]')).toBe(
		true
	);
	for (const text of [
		'',
		'There are 0 of a max of 20 players online: ',
		'Banned Ada: Unknown command',
		'Kicked Ada: <--[HERE] is where it was',
		'Nothing changed. The player already is an operator'
	])
		expect(refused(text), text).toBe(false);
});
