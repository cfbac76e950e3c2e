import type { Game, Player } from '../game.ts';
import { lookUp, onlineByName } from '../game.ts';
import type { Profile } from '../world/lists.ts';

export const UNKNOWN_COMMAND = 'Unknown or incomplete command, see below for error';
const UNKNOWN_ARGUMENT = 'Incorrect argument for command';
const CONTEXT_UNITS = 10;
const MAX_NAME = 16;
const NO_PLAYER = 'No player was found';
const ONLY_PLAYERS =
	'Only players may be affected by this command, but the provided selector includes entities';
const UUID = /^[0-9a-f]{1,8}(-[0-9a-f]{1,4}){3}-[0-9a-f]{1,12}$/i;

/** What the game says instead of doing it; with `cursor` the spot in the input follows. */
export class CommandError extends Error {
	readonly cursor: number | null;
	constructor(message: string, cursor: number | null = null) {
		super(message);
		this.cursor = cursor;
	}
}

/** The second message of a syntax error: the last ten units before the spot, the rest, an arrow. */
export function errorContext(input: string, cursor: number): string {
	const at = Math.min(input.length, cursor);
	const dots = at > CONTEXT_UNITS ? '...' : '';
	return `${dots}${input.slice(Math.max(0, at - CONTEXT_UNITS))}<--[HERE]`;
}

/** Players that an argument means, worked out when the command runs. */
export type Selection = (game: Game) => Player[];

/** Walks through one command line as the game's parser does, with its errors and their spots. */
export class CommandReader {
	readonly input: string;
	cursor = 0;
	constructor(input: string) {
		this.input = input;
	}

	/** True when another argument follows. */
	more(): boolean {
		return this.cursor < this.input.length;
	}

	/** Nothing may follow. */
	end(): void {
		if (this.more()) this.#nextArgument();
		if (this.more()) throw new CommandError(UNKNOWN_ARGUMENT, this.cursor);
	}

	literal(choices: readonly string[]): string {
		this.#nextArgument();
		const word = this.#untilSpace();
		if (!choices.includes(word)) throw new CommandError(UNKNOWN_ARGUMENT, this.cursor);
		this.cursor += word.length;
		return word;
	}

	/** All that is left, at least one character. */
	rest(): string {
		this.#nextArgument();
		const text = this.input.slice(this.cursor);
		this.cursor = this.input.length;
		return text;
	}

	word(): string {
		this.#nextArgument();
		const word = this.#untilSpace();
		this.cursor += word.length;
		return word;
	}

	/** Online players only: a name of at most 16 characters, quoted if need be, or a selector. */
	players(options: { single?: boolean; entities?: boolean } = {}): Selection {
		this.#nextArgument();
		const start = this.cursor;
		if (this.input[start] === '@') return this.#selector(options);
		const name = this.#string();
		if (UUID.test(name)) {
			if (!options.entities) throw new CommandError(ONLY_PLAYERS, 0);
			return (game) => found([game.online.get(name.toLowerCase())], options);
		}
		if (name === '' || name.length > MAX_NAME)
			throw new CommandError('Invalid name or UUID', start);
		return (game) => found([onlineByName(game, name)], options);
	}

	/** Anybody whom the game knows or can make up, online or not. */
	profiles(): (game: Game) => Profile[] {
		this.#nextArgument();
		if (this.input[this.cursor] === '@') {
			const selection = this.#selector({});
			return (game) => {
				const players = selection(game);
				return players.map(({ name, uuid }) => ({ name, uuid }));
			};
		}
		const name = this.#untilSpace();
		this.cursor += name.length;
		return (game) => {
			const profile = lookUp(game, name);
			if (!profile) throw new CommandError('That player does not exist');
			return [profile];
		};
	}

	/** Steps over the one space before an argument. */
	#nextArgument(): void {
		const left = this.input.length - this.cursor;
		if (left === 0) throw new CommandError(UNKNOWN_COMMAND, this.cursor);
		if (this.input[this.cursor] !== ' ')
			throw new CommandError(
				'Expected whitespace to end one argument, but found trailing data',
				this.cursor
			);
		if (left === 1) throw new CommandError(UNKNOWN_ARGUMENT, this.cursor);
		this.cursor++;
	}

	#untilSpace(): string {
		const end = this.input.indexOf(' ', this.cursor);
		return this.input.slice(this.cursor, end < 0 ? undefined : end);
	}

	#string(): string {
		const quoted = /^(["'])((?:\\.|(?!\1)[^\\])*)\1/.exec(this.input.slice(this.cursor));
		const match = quoted ?? /^[0-9A-Za-z_.+-]*/.exec(this.input.slice(this.cursor))!;
		this.cursor += match[0].length;
		return quoted ? quoted[2]!.replace(/\\(.)/g, '$1') : match[0];
	}

	#selector(options: { single?: boolean; entities?: boolean }): Selection {
		const start = this.cursor;
		const kind = this.#untilSpace();
		this.cursor += kind.length;
		if (kind === '@') throw new CommandError('Missing selector type', start + 1);
		if (!/^@[aeprsn]$/.test(kind))
			throw new CommandError(`Unknown selector type '${kind.slice(0, 2)}'`, start);
		if ((kind === '@e' || kind === '@n') && !options.entities)
			throw new CommandError(ONLY_PLAYERS, 0);
		if (kind === '@a' && options.single)
			throw new CommandError(
				'Only one player is allowed, but the provided selector allows more than one',
				0
			);
		return (game) => {
			const all = [...game.online.values()];
			if (kind === '@s') return found([], options);
			return found(kind === '@a' || kind === '@e' ? all : all.slice(0, 1), options);
		};
	}
}

function found(players: (Player | undefined)[], options: { entities?: boolean }): Player[] {
	const there = players.filter((player) => player !== undefined);
	if (there.length === 0)
		throw new CommandError(options.entities ? 'No entity was found' : NO_PLAYER);
	return there;
}
