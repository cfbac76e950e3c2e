import { listOf, partsOf } from './words';

/** Nobody who types these means something else. */
const PLAIN = new Set(
	listOf(
		'gamerule gamemode defaultgamemode difficulty teleport tp give effect enchant xp experience summon setblock clone',
		'execute tellraw worldborder scoreboard spawnpoint setworldspawn locate datapack forceload bossbar attribute',
		'advancement fillbiome particle playsound stopsound spreadplayers weather time msg ban-ip pardon-ip spark'
	)
);
/** What the dashboard does itself comes first. */
const OURS = new Set(listOf('say ban kick pardon op deop whitelist'));
const WHITELIST = /^(?:(?:add|remove) \S+|on|off|list|reload)$/;
/** Everyday words too: what follows has to look like the game's language. */
const EVERYDAY = new Set(
	listOf(
		'title tell clear fill kill data tick team tag item loot place ride rotate function list damage spectate me',
		'schedule trigger recipe random return'
	)
);
const GAME_LANGUAGE =
	/^(?:set|add|query|get|rate|freeze|step|modify|merge|give|uuids)\b|[@~^{[]|:\w|_|\d+ \d+/;
/** Small words of a sentence, which commands do not have. */
const A_SENTENCE = /\b(?:me|my|the|an?|to|more|op|admin)\b/i;

/** What may be said with "kill" where the server is meant. */
const KILLED = listOf(
	'kill the my our this that it please pls now just off how do i to can server process game minecraft java',
	'hanging frozen stuck'
);
/** "Kill all mobs" is no wish to kill the server. The last word may only have begun. */
export function isOtherKill(text: string): boolean {
	const words = partsOf(text.toLowerCase());
	const isMeant = (word: string) => KILLED.some((known) => known.startsWith(word));
	return words.includes('kill') && !words.every(isMeant);
}

/** "Give me a diamond": a sentence, and the console is where it is done. */
export const isForConsole = (typed: string) =>
	PLAIN.has(/^\S+(?= )/.exec(typed)?.[0].toLowerCase() ?? '');

/** What is typed for the console, which begins with a slash, or with a command that something follows. */
export function gameCommand(typed: string): { command: string; isOurs: boolean } | null {
	const [, slash, command, verb = '', rest = ''] =
		/^(\/\s*)?((\S+)(?:\s+(.*))?)$/.exec(typed) ?? [];
	if (!command) return null;
	if (slash) return { command, isOurs: false };
	if (!rest || A_SENTENCE.test(rest)) return null;
	if (verb === 'whitelist' && !WHITELIST.test(rest)) return null;
	const isGame = PLAIN.has(verb) || (EVERYDAY.has(verb) && GAME_LANGUAGE.test(rest));
	return isGame || OURS.has(verb) ? { command, isOurs: !isGame } : null;
}
