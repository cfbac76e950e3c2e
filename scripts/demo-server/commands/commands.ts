import type { Game } from '../game.ts';
import { adminCommands } from './admin.ts';
import { tickCommands } from './ticks.ts';
import { worldCommands } from './world.ts';
import { CommandError, CommandReader, errorContext, UNKNOWN_COMMAND } from './reader.ts';
import { helpCommand } from './help.ts';
import type { Command, Source } from './types.ts';

const COMMANDS: Record<string, Command> = {
	...adminCommands,
	...worldCommands,
	help: helpCommand
};

/** Runs a line on the main thread, where the caller must be. Never throws. */
export async function execute(game: Game, source: Source, line: string): Promise<void> {
	const input = line.startsWith('/') ? line.slice(1) : line;
	const reader = new CommandReader(input);
	const name = input.split(' ', 1)[0]!;
	const success = (message: string, inform: boolean) => {
		source.reply(message);
		if (inform && source.informs()) game.log.info(`[${source.name}: ${message}]`);
	};
	try {
		const known = { ...COMMANDS, ...tickCommands(game.options.ticks) };
		const command = Object.hasOwn(known, name) ? known[name] : undefined;
		if (!command) throw new CommandError(UNKNOWN_COMMAND, 0);
		reader.cursor = name.length;
		await command({ game, source, reader, success });
	} catch (error) {
		if (error instanceof CommandError) {
			source.reply(error.message);
			if (error.cursor !== null) source.reply(errorContext(input, error.cursor));
		} else {
			source.reply('An unexpected error occurred trying to execute that command');
			game.log.error(`'/${input}' threw an exception\n${(error as Error).stack}`);
		}
	}
}
