import { describe, expect, test } from 'vitest';
import { isDeath } from './death-messages.ts';

describe('what follows the name of somebody who died', () => {
	test.each([
		'died',
		'drowned whilst trying to escape Zombie',
		'was slain by Ana using [Sword > of [Doom]]',
		'was burned to a crisp while fighting Blaze wielding [Bow]',
		'was burnt to a crisp whilst fighting Blaze',
		'discovered the floor was lava',
		'discovered floor was lava',
		'tried to swim in lava to escape Creeper',
		'walked into danger zone due to Witch',
		'was killed by [Intentional Game Design]',
		'was killed by magic',
		'was killed while trying to hurt Guardian',
		'was shot by a skull from Wither',
		'went off with a bang due to a firework fired from [Bow] by Ana',
		'was obliterated by a sonically-charged shriek',
		"didn't want to live in the same world as Ana",
		'fell too far and was finished by Bo',
		'left the confines of this world',
		'was speared by Husk',
		'was poked to death by a sweet berry bush'
	])('%s', (text) => expect(isDeath(text)).toBe(true));

	test.each([
		'',
		'joined the game',
		'left the game',
		'has made the advancement [Died]',
		'was slain',
		'was slain by ',
		'was kicked by an operator',
		'died.',
		' died',
		'moved too quickly! 1.0,2.0,3.0',
		'issued server command: /me was slain by Zombie',
		"died, message: 'Farmer was slain by Ana'"
	])('not “%s”', (text) => expect(isDeath(text)).toBe(false));
});
