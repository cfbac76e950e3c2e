import type { Font } from './font.ts';

/** Longer texts are cut before anything else. */
const INPUT_MAX = 300;
/** Decorative characters in many servers' names that hardly any font has. */
const SMALL_CAPITALS = new Map(
	[...'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘǫʀꜱᴛᴜᴠᴡʏᴢ'].map((small, i) => [small, 'ABCDEFGHIJKLMNOPQRSTUVWYZ'[i]!])
);
/** Combining marks pile up; private and invisible characters mean something different to everybody. */
const NEVER = /[\p{M}\p{C}]/u;
const EMPTY_BRACKETS = /\(\s*\)|\[\s*\]|\{\s*\}|<\s*>|«\s*»/g;
/** Separators left over when what they separated is gone. */
const LOOSE_ENDS = /^[\s|·•:;,~*=_+»>/\\-]+|[\s|·•:;,~*=_+«</\\-]+$/g;
const ELLIPSIS = '…';

/**
 * One line of text in characters that the font draws: fancy letters become plain ones, the rest (emoji, other
 * scripts, controls) is removed. Null when no letter or digit is left.
 */
export function drawable(text: string, font: Font): string | null {
	let lost = false;
	let line = '';
	for (const character of text.slice(0, INPUT_MAX).normalize('NFC')) {
		const kept = /\s/.test(character) ? ' ' : plain(character, font);
		lost ||= kept === '';
		line += kept;
	}
	if (lost) line = line.replace(EMPTY_BRACKETS, '').replace(LOOSE_ENDS, '');
	line = line.replace(/ +/g, ' ').trim();
	return /[\p{L}\p{N}]/u.test(line) ? line : null;
}

/** For text that is meaningless when a part of it is lost (an address). */
export const isDrawable = (text: string, font: Font) =>
	text !== '' && text.length <= INPUT_MAX && [...text].every((one) => draws(one, font));

const draws = (character: string, font: Font) =>
	font.has(character.codePointAt(0)!) && !NEVER.test(character);

function plain(character: string, font: Font): string {
	if (draws(character, font)) return character;
	const known = SMALL_CAPITALS.get(character);
	if (known) return known;
	return [...character.normalize('NFKC')].filter((part) => draws(part, font)).join('');
}

export type Fitted = { fontSize: number; lines: string[] };

/**
 * Text in the first of some sizes, each with a number of lines, in which it fits whole; in the last size it is cut.
 * `width` in pixels. Lines are broken here: the library's own breaking of long words never ends.
 */
export function fit(
	text: string,
	font: Font,
	width: number,
	sizes: readonly (readonly [fontSize: number, lines: number])[]
): Fitted {
	let last: Fitted = { fontSize: 0, lines: [] };
	for (const [fontSize, most] of sizes) {
		const lines = breakLines(text, font, width / fontSize);
		if (lines.length <= most) return { fontSize, lines };
		last = {
			fontSize,
			lines: [...lines.slice(0, most - 1), cut(lines[most - 1]!, font, width / fontSize)]
		};
	}
	return last;
}

/** Breaks at words, and where one is too long, at characters. */
function breakLines(text: string, font: Font, ems: number): string[] {
	const lines: string[] = [];
	let line = '';
	for (const word of text.split(' ')) {
		const longer = line ? `${line} ${word}` : word;
		if (font.width(longer) <= ems) {
			line = longer;
			continue;
		}
		if (line) lines.push(line);
		line = '';
		for (const character of word) {
			if (line && font.width(line + character) > ems) {
				lines.push(line);
				line = '';
			}
			line += character;
		}
	}
	return [...lines, line];
}

function cut(line: string, font: Font, ems: number): string {
	let kept = [...line];
	while (kept.length > 1 && font.width(kept.join('').trimEnd() + ELLIPSIS) > ems)
		kept = kept.slice(0, -1);
	return kept.join('').trimEnd() + ELLIPSIS;
}
