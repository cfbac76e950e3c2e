import { sameName } from '#minecraft/lists';
import { stripCodes } from '#minecraft/text';

/** What to do, and to whom: a name and a reason that have passed their schemas. */
export type PlayerCommand =
	| { action: 'op' | 'deop' | 'whitelist-add' | 'whitelist-remove' | 'pardon'; player: string }
	| { action: 'ban'; player: string; reason: string | null }
	| { action: 'kick'; player: string; reason: string | null }
	| { action: 'whitelist-on' | 'whitelist-off' };

/** What an answer says. `unknown` never counts as success: then only the files can tell. */
export type Verdict = {
	result: 'done' | 'no-op' | 'no-such-player' | 'error' | 'unknown';
	/** The answer as plain text. */
	text: string;
};

/** The commands with which the game changes its lists, and their answers in every version since 1.8. */
export interface PlayerCommands {
	/** The command line. */
	line(command: PlayerCommand): string;
	verdict(command: PlayerCommand, answer: string): Verdict;
}

const ANSWER_MAX = 300;

export const playerCommands: PlayerCommands = {
	line(command) {
		switch (command.action) {
			case 'whitelist-on':
			case 'whitelist-off':
			case 'whitelist-add':
			case 'whitelist-remove': {
				const words = `whitelist ${command.action.slice('whitelist-'.length)}`;
				return 'player' in command ? `${words} ${command.player}` : words;
			}
			case 'ban':
				return withReason(`ban ${command.player}`, command.reason);
			case 'kick':
				return withReason(`kick ${selector(command.player)}`, command.reason);
			default:
				return `${command.action} ${command.player}`;
		}
	},

	verdict(command, answer) {
		const text = stripCodes(answer).trim();
		return { result: judge(command, text), text: text.slice(0, ANSWER_MAX) };
	}
};

const withReason = (line: string, reason: string | null) => (reason ? `${line} ${reason}` : line);

/** Commands for online players take another kind of argument, which allows these characters without quotes. */
const selector = (name: string) => (/^[0-9A-Za-z_.+-]+$/.test(name) ? name : `"${name}"`);

type Forms = {
	/** The group captures the player's name where the game says whom it meant. */
	done: RegExp[];
	/** Nothing to change: it was like that already. */
	same: RegExp;
};

const FORMS: Record<PlayerCommand['action'], Forms> = {
	op: {
		done: [/^Made (.+) a server operator$/, /^Opped (.+)$/],
		same: /^Nothing changed\. The player already is an operator$/
	},
	deop: {
		done: [/^Made (.+) no longer a server operator$/, /^De-opped (.+)$/],
		same: /^Nothing changed\. The player is not an operator$/
	},
	'whitelist-add': {
		done: [/^Added (.+) to the whitelist$/],
		same: /^Player is already whitelisted$/
	},
	'whitelist-remove': {
		done: [/^Removed (.+) from the whitelist$/],
		same: /^Player is not whitelisted$/
	},
	'whitelist-on': {
		done: [/^Whitelist is now turned on$/, /^Turned on the whitelist$/],
		same: /^Whitelist is already turned on$/
	},
	'whitelist-off': {
		done: [/^Whitelist is now turned off$/, /^Turned off the whitelist$/],
		same: /^Whitelist is already turned off$/
	},
	ban: {
		done: [/^Banned player (\S+)$/, /^Banned (\S+): .*$/],
		same: /^Nothing changed\. The player is already banned$/
	},
	pardon: {
		done: [/^Unbanned player (\S+)$/, /^Unbanned (\S+)$/],
		same: /^Nothing changed\. The player isn't banned$/
	},
	// The name shown may have the player's own or the team's spelling, whatever we typed.
	kick: {
		done: [/^Kicked .+?: .*$/, /^Kicked .+ from the game$/],
		same: /^(?:No player was found|That player cannot be found|Player '.+' cannot be found)$/
	}
};

const NO_SUCH_PLAYER =
	/^(?:That player does not exist$|Could not (?:op|de-op|ban player|unban player|add|remove) )/;
const NOT_UNDERSTOOD = /<--\[HERE\]$|^Unknown command\b/;

function judge(command: PlayerCommand, text: string): Verdict['result'] {
	const { done, same } = FORMS[command.action];
	for (const form of done) {
		const match = form.exec(text);
		if (!match) continue;
		const named = match[1];
		// Two answers can arrive as one, or one in the place of another: what is said of somebody else is no answer
		// to this.
		if (named === undefined || !('player' in command) || sameName(named, command.player))
			return 'done';
	}
	if (same.test(text)) return 'no-op';
	if (NO_SUCH_PLAYER.test(text)) return 'no-such-player';
	return NOT_UNDERSTOOD.test(text) ? 'error' : 'unknown';
}
