import { expect, test } from 'vitest';
import { suggest } from './suggestions.ts';

const commands = [
	{ name: 'ban', usage: '<targets> [<reason>]' },
	{ name: 'ban-ip', usage: '<target> [<reason>]' },
	{ name: 'banlist', usage: '[ips|players]' },
	{ name: 'gamemode', usage: '<gamemode> [<target>]' },
	{ name: 'list', usage: '[uuids]' },
	{ name: 'msg', usage: '<targets> <message>' },
	{ name: 'quiet-villagers', usage: '(mute|unmute) [<profession>]' },
	{ name: 'seed', usage: '' },
	{ name: 'teleport', usage: '(<location>|<destination>|<targets>)' },
	{ name: 'tell', usage: '-> msg' },
	{ name: 'whitelist', usage: '(on|off|list|add|remove|reload)' }
];
const players = ['Mossbeard', 'Ana', 'Grumbleroot'];
const words = (typed: string) =>
	suggest(typed, { commands, players }).options.map(({ word }) => word);

test.each([
	['ba', ['ban', 'ban-ip', 'banlist']],
	['/BA', ['ban', 'ban-ip', 'banlist']],
	['ban', ['ban-ip', 'banlist']],
	['vil', ['quiet-villagers']],
	['ip', ['ban-ip']],
	['seed', []],
	['', []],
	['   ', []],
	['nothing', []]
])('%j may become %j', (typed, found) => expect(words(typed)).toEqual(found));

test.each([
	['ban ', players],
	['ban m', ['Mossbeard']],
	['/ban gr', ['Grumbleroot']],
	['  ban Mossbeard', []],
	['ban Mossbeard ', []],
	['ban Mossbeard Gr', []],
	['msg Ana hello A', []],
	['tell a', ['Ana']],
	['teleport A', ['Ana']],
	['teleport Ana M', ['Mossbeard']],
	['whitelist ', ['on', 'off', 'list', 'add', 'remove', 'reload']],
	['whitelist re', ['remove', 'reload']],
	['whitelist add M', ['Mossbeard']],
	['gamemode c', ['creative']],
	['gamemode creative A', ['Ana']],
	['banlist i', ['ips']],
	['seed A', []],
	['unknown A', ['Ana']]
])('after a command: %j may become %j', (typed, found) => expect(words(typed)).toEqual(found));

test('it says where the word begins, and whether something may follow', () => {
	const told = (typed: string) => suggest(typed, { commands, players });
	expect(told('/ba')).toMatchObject({ from: 1, options: [{ word: 'ban', goesOn: true }, {}, {}] });
	expect(told('see').options).toEqual([{ word: 'seed', detail: '', goesOn: false }]);
	expect(told(' ban  mo')).toMatchObject({ from: 6, options: [{ word: 'Mossbeard' }] });
	expect(told('banlist i').options[0]!.goesOn).toBe(false);
	expect(told('whitelist ad').options[0]!.goesOn).toBe(true);
});

test('never more than can be looked through', () => {
	const many = Array.from({ length: 500 }, (_, i) => ({ name: `c${i}`, usage: '' }));
	expect(suggest('c', { commands: many, players }).options).toHaveLength(50);
});
