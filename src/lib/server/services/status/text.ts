export const MOTD_MAX = 300;
export const NAME_MAX = 80;
const VERSION_MAX = 60;
const VERSION = /(?<![\w.])\d+(?:\.\d+|w\d\d[a-z])[\w.+-]*/;
/** Letters, digits, combining marks, symbols: not only joiners and blanks. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

export type PlainText = (component: unknown, maxChars?: number) => string;

/** Game text as one line of at most `max` characters, or null when nothing in it is visible. */
export function cleanLine(text: string | null, max: number, plain: PlainText): string | null {
	const line = text === null ? '' : plain(text.replace(/[\r\n]+/g, ' '), max).replace(/\n/g, ' ');
	return VISIBLE.test(line) ? line : null;
}

/** Game text of several lines (a MOTD has two), without empty ones; null when nothing in it is visible. */
export function cleanLines(text: string | null, max: number, plain: PlainText): string | null {
	const lines = plain(text ?? '', max)
		.split('\n')
		.map((line) => cleanLine(line, max, plain))
		.filter((line) => line !== null);
	return lines.join('\n') || null;
}

/** `Paper 1.21.8` → `1.21.8`; a text without anything like a version stays as it is. */
export function gameVersion(text: string | null, plain: PlainText): string | null {
	const line = cleanLine(text, VERSION_MAX, plain);
	return (line && VERSION.exec(line)?.[0]) ?? line;
}
