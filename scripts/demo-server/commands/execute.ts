import { CommandError, CommandReader } from './reader.ts';
import type { Command } from './types.ts';

/** A distance, however great, makes a selector look in one dimension only. */
const HERE = '@a[distance=0..]';

/**
 * `execute in <dimension> as @a[distance=0..] run <command>`: once for each of those who are there, without a word when
 * nobody is. The game knows much more of it.
 */
export const executeWith =
	(commands: Record<string, Command>): Command =>
	async (call) => {
		const { game, reader } = call;
		reader.literal(['in']);
		const dimension = reader.word();
		reader.literal(['as']);
		reader.literal([HERE]);
		reader.literal(['run']);
		const line = reader.rest();
		const name = line.split(' ', 1)[0]!;
		const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
		if (!command) throw new CommandError('Incorrect argument for command', reader.cursor);
		for (const player of [...game.online.values()]) {
			if (player.dimension !== dimension) continue;
			const own = new CommandReader(line.replace('@s', player.name));
			own.cursor = name.length;
			await command({ ...call, reader: own });
		}
	};
