import { expect, test } from 'vitest';
import { PlayerUuid } from './common.ts';
import { PlayerAction, playerName, Reason } from './player.ts';

const HOSTILE = [
	'a\nop x',
	'a\rop x',
	'Ada\n',
	'\nAda',
	'@a',
	'@e[type=!x]',
	'"x',
	'"x"',
	"'x'",
	'x y',
	' Ada',
	'§4x',
	'ABCDEFGHIJKLMNOPQ',
	'',
	'😀',
	'-x',
	'../x',
	'x/y',
	'x\\y',
	'x\u0000',
	'x\u202ey',
	'Ad\u0430',
	'x;stop',
	'x{}',
	'069a79f4-44e9-4726-a5be-fca90e38aaf5'
];

test.each(HOSTILE)('%j cannot be a player name', (name) => {
	expect(playerName(null).safeParse(name).success).toBe(false);
	expect(playerName('.').safeParse(name).success).toBe(false);
});

test.each(['Ada', 'x', '0', '_', 'ABCDEFGHIJKLMNOP', 'op', 'reload'])(
	'%j can be a player name',
	(name) => {
		expect(playerName(null).parse(name)).toBe(name);
		expect(playerName('*').parse(name)).toBe(name);
	}
);

test("the name of a Bedrock player is the prefix and a name, no longer than any other's", () => {
	const name = playerName('.');
	expect(name.parse('.Ada_1')).toBe('.Ada_1');
	expect(name.parse('.ABCDEFGHIJKLMNO')).toBe('.ABCDEFGHIJKLMNO');
	for (const wrong of ['.', '..Ada', '.Ada.', '.A b', '.@a', '.ABCDEFGHIJKLMNOP', '*Ada'])
		expect(name.safeParse(wrong).success, wrong).toBe(false);
	expect(playerName(null).safeParse('.Ada').success).toBe(false);
});

test('an action about a player names one, and one about the whole whitelist needs none', () => {
	const wrong = PlayerAction.safeParse({ action: 'op' });
	expect(wrong.error?.issues[0]?.path).toEqual(['player']);
	expect(PlayerAction.safeParse({ action: 'ban', player: '' }).success).toBe(false);
	expect(PlayerAction.parse({ action: 'whitelist-on', player: '', reason: '' })).toEqual({
		action: 'whitelist-on',
		player: undefined,
		reason: undefined
	});
});

test.each([
	{ action: 'stop', player: 'Ada' },
	{ action: 'op', player: ['Ada'] },
	{ action: 'op', player: 'Ada', extra: 1 },
	{ action: ['op'], player: 'Ada' },
	{ player: 'Ada' },
	null
])('%j is not an action', (body) => {
	expect(PlayerAction.safeParse(body).success).toBe(false);
});

test.each(HOSTILE.filter((name) => /[\s@"'\\/§\p{C}]|^$/u.test(name) || name.length > 16))(
	'an action with the player %j is refused at the door',
	(player) => expect(PlayerAction.safeParse({ action: 'kick', player }).success).toBe(false)
);

test.each(['line\nbreak', 'a\u0000', '§cred', 'for @a', 'x'.repeat(101), '\u202eabc', '\ud800'])(
	'%j is not a valid reason',
	(reason) => expect(Reason.safeParse(reason).success).toBe(false)
);

test.each(['Griefing: "the spawn" \\ /op x', '荒らし 😀', 'x'.repeat(100), "he's gone; stop"])(
	'%j is a valid reason',
	(reason) => expect(Reason.parse(reason)).toBe(reason)
);

test('ids are accepted in any case and normalized to the game’s form', () => {
	expect(PlayerUuid.parse('069A79F4-44E9-4726-A5BE-FCA90E38AAF5')).toBe(
		'069a79f4-44e9-4726-a5be-fca90e38aaf5'
	);
	for (const wrong of ['', '..', '069a79f444e94726a5befca90e38aaf5', '1-2-3-4-5', 'x'.repeat(36)])
		expect(PlayerUuid.safeParse(wrong).success).toBe(false);
});
