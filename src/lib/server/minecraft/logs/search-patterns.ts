import type { LogLevel } from '#schemas/log';
import { MASKED } from '#minecraft/mask';

/** A pattern for raw bytes that finds the lines that may match; each of them is then checked itself. */
export type SearchPattern = {
	/** For bytes, each read as one character; null when every line may match. */
	readonly pattern: RegExp | null;
	/** The length of the longest match, in bytes. */
	readonly bytes: number;
	/** Whether a match before the message, in time, level or thread, counts. */
	readonly inPrefix: boolean;
};

/** Shorter pieces occur in nearly every line. */
const PIECE_MIN_BYTES = 3;
/** How many letters of another script are searched for in all their forms: that makes eight combinations. */
const FOREIGN_MAX = 3;
/** What the reader inserts, and so is not found among the raw bytes: masks, and unreadable characters. */
const PUT_IN = new RegExp(`[${MASKED[0]}\\ufffd]+`);

export function patternOfText(text: string): SearchPattern {
	const pieces = text.split(PUT_IN);
	const plain = longest(pieces.flatMap(withoutForeign));
	const forms = bytesOf(plain) >= PIECE_MIN_BYTES ? [plain] : formsOf(longest(pieces));
	const bytes = Math.max(...forms.map(bytesOf));
	const source = forms.map((form) => RegExp.escape(Buffer.from(form).toString('latin1'))).join('|');
	return { pattern: bytes > 0 ? new RegExp(source, 'gi') : null, bytes, inPrefix: false };
}

/** A letter with two forms that is not ASCII: the bytes of its forms have nothing in common. */
const isForeign = (char: string) =>
	char.codePointAt(0)! > 0x7f && char.toLowerCase() !== char.toUpperCase();

function withoutForeign(piece: string): string[] {
	const parts = [''];
	for (const char of piece) {
		if (isForeign(char)) parts.push('');
		else parts[parts.length - 1] += char;
	}
	return parts;
}

/** The beginning of a text in all the ways in which its first letters of another script can be written. */
function formsOf(text: string): string[] {
	let forms = [''];
	let foreign = 0;
	for (const char of text) {
		const isOne = isForeign(char);
		if (isOne && ++foreign > FOREIGN_MAX) break;
		const ways = isOne ? new Set([char, char.toLowerCase(), char.toUpperCase()]) : [char];
		forms = forms.flatMap((form) => [...ways].map((way) => form + way));
	}
	return forms;
}

const bytesOf = (text: string) => Buffer.byteLength(text);
const longest = (parts: string[]) =>
	parts.reduce((best, part) => (bytesOf(part) > bytesOf(best) ? part : best), '');

/** What stands in the place of a level in lines that a mod printed to the standard streams. */
const STREAMS: Partial<Record<LogLevel, string>> = { INFO: 'STDOUT', ERROR: 'STDERR' };

/** `/WARN]` in files, ` WARN]` on Paper's console. */
export function patternOfLevels(levels: readonly LogLevel[]): SearchPattern {
	const words = levels.flatMap((level) => [level, STREAMS[level] ?? level]);
	return { pattern: new RegExp(`[/ ](?:${words.join('|')})\\]`, 'g'), bytes: 8, inPrefix: true };
}

const NEWLINE = 0x0a;
const BRACKET = 0x5b;
const PREFIX_END = Buffer.from(']: ');

/** Finds matches of a pattern in a part of a block. */
export interface Finder {
	/** The positions, ascending, of matches that begin at or after `from` and before `to`: one for each line. */
	places(bytes: Buffer, from: number, to: number): number[];
}

export function createFinder(
	pattern: RegExp,
	{ bytes: longestBytes, inPrefix }: SearchPattern
): Finder {
	return {
		places(bytes, from, to) {
			const end = Math.min(bytes.length, to + longestBytes - 1);
			const part = bytes.toString('latin1', from, end);
			const places: number[] = [];
			pattern.lastIndex = 0;
			for (let found = pattern.exec(part); found; found = pattern.exec(part)) {
				const at = found.index;
				const message = inPrefix ? -1 : messageAfter(bytes, from + at) - from;
				if (message > at) pattern.lastIndex = message;
				else {
					places.push(from + at);
					pattern.lastIndex = part.indexOf('\n', at) + 1 || part.length;
				}
			}
			return places;
		}
	};
}

/** Where the message begins when the position is in the prefix of its line; else somewhere before the position. */
function messageAfter(bytes: Buffer, place: number) {
	const start = bytes.lastIndexOf(NEWLINE, place) + 1;
	if (bytes[start] !== BRACKET) return -1;
	const message = bytes.indexOf(PREFIX_END, start) + PREFIX_END.length;
	if (message <= place || message < PREFIX_END.length) return -1;
	const lineEnd = bytes.indexOf(NEWLINE, place);
	return lineEnd !== -1 && message > lineEnd ? -1 : message;
}
