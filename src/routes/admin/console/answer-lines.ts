import type { Span } from '$lib/schemas/console';
import { helpLines } from '$lib/schemas/plain/words/help-lines';
import { isRefusedByGame } from '$lib/schemas/plain/words/refused-by-game';

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

export const isRefused = (spans: Span[]) => isRefusedByGame(spans.map(({ text }) => text).join(''));
