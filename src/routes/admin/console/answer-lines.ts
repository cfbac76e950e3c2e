import type { Span } from '$lib/schemas/console';
import { helpLines } from '$lib/schemas/plain/words/help-lines';

const HELP = /^\/?(?:minecraft:)?(?:help|\?)(?:\s|$)/;
/** After these words of the game, the line at fault follows; over RCON without a break. */
const AT_FAULT =
	/^(Unknown or incomplete command, see below for error|Incorrect argument for command|Expected whitespace to end one argument, but found trailing data)(?=\S.*<--\[HERE\]$)/;

/** Over RCON the game joins the lines of an answer: they are parted again where its own words tell where. */
export function inLines(command: string, spans: Span[]): Span[] {
	const part = (text: string) =>
		HELP.test(command) ? helpLines(text) : text.replace(AT_FAULT, '$1\n');
	return spans.map((span) => ({ ...span, text: part(span.text) }));
}

/** How the game says that it has not done a command: most of these show the place at fault, older versions only say so. */
const REFUSED =
	/<--\[HERE\]$|^Unknown (?:or incomplete )?command\b|^(?:No (?:player|entity) was found|That player does not exist)\.?$/;

export const isRefused = (spans: Span[]) =>
	REFUSED.test(
		spans
			.map(({ text }) => text)
			.join('')
			.trim()
	);
