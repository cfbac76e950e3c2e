export const PLAYER_NAME_MAX = 16;
export const NOT_A_NAME = 'A player name has 1 to 16 letters, digits or underscores';

const PLAIN_NAME = /^[A-Za-z0-9_]{1,16}$/;

/**
 * Whether the game can have given this name to a player, and it refers only to them in a command. Names of Bedrock
 * players begin with `bedrockPrefix` (BEDROCK_PREFIX) and are no longer than the others.
 */
export function isPlayerName(name: string, bedrockPrefix: string | null): boolean {
	if (PLAIN_NAME.test(name)) return true;
	if (!bedrockPrefix || !name.startsWith(bedrockPrefix)) return false;
	return name.length <= PLAYER_NAME_MAX && PLAIN_NAME.test(name.slice(bedrockPrefix.length));
}
