import type { PlayerVerb } from '#schemas/player';
import type { Operation } from '#schemas/operation';
import type { ServerState } from '#schemas/status';
import { AppError } from '#core/errors';
import type { PlayerCommand } from '#minecraft/commands';

type Labels = {
	/** What is true once it has been done. */
	done: string;
	/** The same, when it was already true before. */
	same: string;
};

const LABELS: Record<PlayerVerb, (name: string) => Labels> = {
	op: (name) => ({ done: `${name} is an operator now`, same: `${name} is an operator already` }),
	deop: (name) => ({
		done: `${name} is no longer an operator`,
		same: `${name} is not an operator`
	}),
	'whitelist-add': (name) => ({
		done: `${name} is on the whitelist now`,
		same: `${name} is on the whitelist already`
	}),
	'whitelist-remove': (name) => ({
		done: `${name} is no longer on the whitelist`,
		same: `${name} is not on the whitelist`
	}),
	'whitelist-on': () => ({
		done: 'The whitelist is on now',
		same: 'The whitelist is on already'
	}),
	'whitelist-off': () => ({
		done: 'The whitelist is off now',
		same: 'The whitelist is off already'
	}),
	ban: (name) => ({ done: `${name} is banned now`, same: `${name} is banned already` }),
	pardon: (name) => ({ done: `${name} is no longer banned`, same: `${name} is not banned` }),
	kick: (name) => ({ done: `${name} was kicked`, same: `${name} is not online` })
};

export const labelsFor = (command: PlayerCommand): Labels =>
	LABELS[command.action]('player' in command ? command.player : '');

const FILE: Record<PlayerVerb, string> = {
	op: 'ops.json',
	deop: 'ops.json',
	'whitelist-add': 'whitelist.json',
	'whitelist-remove': 'whitelist.json',
	'whitelist-on': 'server.properties',
	'whitelist-off': 'server.properties',
	ban: 'banned-players.json',
	pardon: 'banned-players.json',
	kick: 'the list of players online'
};

/** Where it can be seen whether it was done. */
export const fileOf = (command: PlayerCommand) => FILE[command.action];

const NOT_NOW: Partial<Record<ServerState, string>> = {
	starting:
		'The server is starting: it reads its lists now. Try again when it runs, or when it is stopped.',
	stopping: 'The server is stopping: it writes its files now. Try again when it is stopped.'
};

/** Null when the state lets players be managed. */
export const notNow = (state: ServerState): AppError | null => {
	const why = NOT_NOW[state];
	return why ? new AppError('conflict', why) : null;
};

/** Without an operation, someone else's edit, perhaps in another process, has the files. */
export function filesInUse(operation: Operation | null): AppError {
	if (!operation)
		return new AppError(
			'conflict',
			'The server is stopped, and somebody else changes its files just now. Try again in a moment.'
		);
	const { id, by } = operation;
	return new AppError(
		'conflict',
		`The server is stopped, and an operation that ${by} started works on it. Try again when that has finished.`,
		{ operation: id }
	);
}
