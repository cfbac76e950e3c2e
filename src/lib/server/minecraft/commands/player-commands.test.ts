import { expect, test } from 'vitest';
import { playerCommands, type PlayerCommand } from './player-commands.ts';

const { line, verdict } = playerCommands;
const player = 'Ada';
const of = (action: PlayerCommand['action']) => ({ action, player, reason: null }) as PlayerCommand;

test('command lines contain nothing but the words of the game, the name and the reason', () => {
	expect(line(of('op'))).toBe('op Ada');
	expect(line(of('deop'))).toBe('deop Ada');
	expect(line(of('pardon'))).toBe('pardon Ada');
	expect(line(of('whitelist-add'))).toBe('whitelist add Ada');
	expect(line(of('whitelist-remove'))).toBe('whitelist remove Ada');
	expect(line({ action: 'whitelist-on' })).toBe('whitelist on');
	expect(line({ action: 'whitelist-off' })).toBe('whitelist off');
	expect(line(of('ban'))).toBe('ban Ada');
	expect(line({ action: 'ban', player, reason: 'Too "loud"' })).toBe('ban Ada Too "loud"');
	expect(line({ action: 'kick', player, reason: 'Bye' })).toBe('kick Ada Bye');
});

test('the name of a Bedrock player is quoted only where the game would not parse it otherwise', () => {
	expect(line({ action: 'kick', player: '.Ada', reason: null })).toBe('kick .Ada');
	expect(line({ action: 'kick', player: '*Ada', reason: 'Bye' })).toBe('kick "*Ada" Bye');
	expect(line({ action: 'op', player: '*Ada' })).toBe('op *Ada');
});

test.each<[PlayerCommand['action'], string[], string[]]>([
	[
		'op',
		['Made Ada a server operator', 'Opped Ada'],
		['Nothing changed. The player already is an operator']
	],
	[
		'deop',
		['Made Ada no longer a server operator', 'De-opped Ada'],
		['Nothing changed. The player is not an operator']
	],
	['whitelist-add', ['Added Ada to the whitelist'], ['Player is already whitelisted']],
	['whitelist-remove', ['Removed Ada from the whitelist'], ['Player is not whitelisted']],
	[
		'whitelist-on',
		['Whitelist is now turned on', 'Turned on the whitelist'],
		['Whitelist is already turned on']
	],
	[
		'whitelist-off',
		['Whitelist is now turned off', 'Turned off the whitelist'],
		['Whitelist is already turned off']
	],
	[
		'ban',
		['Banned Ada: Banned by an operator.', 'Banned Ada: a: b', 'Banned player Ada'],
		['Nothing changed. The player is already banned']
	],
	['pardon', ['Unbanned Ada', 'Unbanned player Ada'], ["Nothing changed. The player isn't banned"]],
	[
		'kick',
		[
			'Kicked Ada: Kicked by an operator',
			'Kicked [VIP] Ada: x',
			'Kicked Ada from the game',
			"Kicked Ada from the game: 'x'"
		],
		['No player was found', 'That player cannot be found', "Player 'Ada' cannot be found"]
	]
])('every answer to %s is recognised', (action, done, same) => {
	for (const text of done) expect(verdict(of(action), text).result, text).toBe('done');
	for (const text of same) expect(verdict(of(action), text).result, text).toBe('no-op');
});

test('colours and spaces around an answer do not matter, nor does the case of the name', () => {
	expect(verdict(of('op'), '§7Made ada a server operator§r ')).toEqual({
		result: 'done',
		text: 'Made ada a server operator'
	});
});

test.each<[PlayerCommand['action'], string]>([
	['op', 'That player does not exist'],
	['op', 'Could not op Ada'],
	['deop', 'Could not de-op Ada'],
	['ban', 'Could not ban player Ada'],
	['pardon', 'Could not unban player Ada'],
	['whitelist-add', 'Could not add Ada to the whitelist'],
	['whitelist-remove', 'Could not remove Ada from the whitelist']
])('an answer to %s that the player is not known: %j', (action, text) => {
	expect(verdict(of(action), text).result).toBe('no-such-player');
});

test.each([
	'Unknown or incomplete command, see below for errorop Ada<--[HERE]',
	'Incorrect argument for command...p Ada x<--[HERE]',
	'Unknown command. Try /help for a list of commands'
])('%j is an error', (text) => expect(verdict(of('op'), text).result).toBe('error'));

test.each([
	'',
	'OK',
	'Made Bob a server operator',
	'Made Ada a server operatorSaved the game',
	'Saved the gameMade Ada a server operator',
	'[Server] Made Ada a server operator',
	'Made Ada no longer a server operator',
	'Ada ist jetzt Operator',
	'\u001b[2J<script>alert(1)</script>'
])('%j is unknown, and so not a success of op', (text) => {
	expect(verdict(of('op'), text).result).toBe('unknown');
});

test('an answer that is quoted to people is plain text and short', () => {
	const { text } = verdict(of('op'), `\u001b[31m§4bad\u0000${'x'.repeat(5000)}`);
	expect(text.startsWith('badxx')).toBe(true);
	expect(text.length).toBe(300);
});
