import { z } from 'zod';
import { oneLine } from './common.ts';
import { COMMAND_MAX } from './plain/limits.ts';

/** What fits into one packet of the remote console. */
export const COMMAND_MAX_BYTES = 1446;

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

/** Body of POST /api/console: one line, with or without the slash. */
export const ConsoleCommand = z.strictObject({
	command: oneLine(COMMAND_MAX)
		.min(1, 'Type a command')
		.refine(
			(command) => bytesOf(command) <= COMMAND_MAX_BYTES,
			`At most ${COMMAND_MAX_BYTES} bytes, more is not accepted by a server`
		)
		.refine((command) => command.isWellFormed(), 'Half a character is not text')
});
export type ConsoleCommand = z.infer<typeof ConsoleCommand>;

/** A command that the server knows. */
export const KnownCommand = z.object({
	name: z.string(),
	/** What may follow it, in the game's own notation: `<targets> [<reason>]`. Empty when that is not known. */
	usage: z.string()
});
export type KnownCommand = z.infer<typeof KnownCommand>;

/** Answer of GET /api/console/commands. */
export const CommandList = z.object({
	/** In the alphabet's order. */
	commands: z.array(KnownCommand),
	/** The running server has named them itself, those of its mods too; otherwise they are what every game knows. */
	fromServer: z.boolean()
});
export type CommandList = z.infer<typeof CommandList>;

/** The sixteen colours of the game. */
export const SpanColor = z.enum([
	'black',
	'dark-blue',
	'dark-green',
	'dark-aqua',
	'dark-red',
	'dark-purple',
	'gold',
	'gray',
	'dark-gray',
	'blue',
	'green',
	'aqua',
	'red',
	'light-purple',
	'yellow',
	'white'
]);
export type SpanColor = z.infer<typeof SpanColor>;

const on = z.literal(true).optional();

/** A piece of the game's text, to be shown as text. Line breaks and tabs are the only control characters left. */
export const Span = z.object({
	text: z.string(),
	color: SpanColor.optional(),
	bold: on,
	italic: on,
	underline: on,
	strike: on,
	/** Letters that keep changing in the game. */
	obfuscated: on
});
export type Span = z.infer<typeof Span>;

export const ConsoleAnswer = z.object({
	/** Without codes; empty when the command returns nothing. */
	output: z.string(),
	/** The same text with its formatting. */
	spans: z.array(Span),
	/** Whether the end is missing, which the text also says. */
	truncated: z.boolean()
});
export type ConsoleAnswer = z.infer<typeof ConsoleAnswer>;
