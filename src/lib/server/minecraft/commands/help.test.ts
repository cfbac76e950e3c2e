import { expect, test } from 'vitest';
import { parseHelp } from './help.ts';

test('over RCON the lines are joined, and each command is found with how it is used', () => {
	expect(
		parseHelp('/tell -> msg/ban <targets> [<reason>]/advancement (grant|revoke)/list')
	).toEqual([
		{ name: 'advancement', usage: '(grant|revoke)' },
		{ name: 'ban', usage: '<targets> [<reason>]' },
		{ name: 'list', usage: '' },
		{ name: 'tell', usage: '-> msg' }
	]);
	expect(parseHelp('/b <x>\n/a').map(({ name }) => name)).toEqual(['a', 'b']);
});

test('what is no name of a command is left out', () => {
	const names = (answer: string) => parseHelp(answer).map(({ name }) => name);
	expect(names('/ok\n/<script>\n/a"b\n/ü\nban\n/ ban\n/ok twice\n//wand\n/mod:x.y-z_1')).toEqual([
		'mod:x.y-z_1',
		'ok'
	]);
	expect(names(`/${'x'.repeat(65)}`)).toEqual([]);
	expect(names('Unknown command. Try /help for a list of commands')).toEqual([]);
	expect(names('')).toEqual([]);
});

test('a flood of commands and a usage without end are cut', () => {
	const many = Array.from({ length: 5000 }, (_, i) => `/c${i} <${'x'.repeat(i)}>`).join('\n');
	const found = parseHelp(many);
	expect(found).toHaveLength(500);
	expect(Math.max(...found.map(({ usage }) => usage.length))).toBe(300);
});
