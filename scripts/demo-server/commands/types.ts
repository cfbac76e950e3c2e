import type { Game } from '../game.ts';
import type { CommandReader } from './reader.ts';

/** Who gave the command and where the answer goes. */
export type Source = {
	name: 'Rcon' | 'Server';
	/** One message; the game puts nothing between two of them. */
	reply(message: string): void;
	/** Successes that administrators should know of also go to the log: `[Rcon: …]`. */
	informs(): boolean;
};

export type Call = {
	game: Game;
	source: Source;
	reader: CommandReader;
	/** A success; `inform` as in the game, command by command. */
	success(message: string, inform: boolean): void;
};

export type Command = (call: Call) => void | Promise<void>;
