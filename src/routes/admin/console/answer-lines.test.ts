import { expect, test } from 'vitest';
import { inLines } from './answer-lines.ts';

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
