/* eslint-disable no-control-regex -- this file makes them harmless */
import type { Span } from '#schemas/console';
import { ansiStyle, hexColor, legacyStyle, PLAIN, type Style } from './span-styles.ts';

/**
 * What the game prints, with § codes and terminal colours (SGR), as pieces with a closed set of styles. Every other
 * sequence that a terminal would obey is dropped; remaining control, invisible and direction characters become
 * visible. Text only, never markup. Takes time in proportion to the length.
 */
export function spansOf(text: string): Span[] {
	const spans: Span[] = [];
	let style: Style = PLAIN;
	const add = (piece: string) => {
		const last = spans.at(-1);
		if (piece === '') return;
		if (last && (spans.length >= SPANS_MAX || isLike(last, style))) last.text += piece;
		else spans.push({ text: piece, ...style });
	};
	let from = 0;
	const shown = text.toWellFormed().replace(FLOOD, '$1');
	for (const match of shown.matchAll(TOKEN)) {
		add(shown.slice(from, match.index));
		from = match.index + match[0].length;
		const { hex, code, sgr } = match.groups!;
		if (hex !== undefined) style = { color: hexColor(hex.replaceAll('§', '').slice(1)) };
		else if (code !== undefined) style = legacyStyle(style, code.toLowerCase());
		else if (sgr !== undefined) style = ansiStyle(style, sgr);
		else add(visible(match[0]));
	}
	add(shown.slice(from));
	return spans;
}

/** The same text without its styles. */
export const textOf = (spans: Span[]): string => spans.map(({ text }) => text).join('');

/** Text without codes, in which nothing is hidden. */
export const safeText = (text: string): string =>
	UNUSUAL.test(text) || !text.isWellFormed() ? textOf(spansOf(text)) : text;

/** Beyond this many the styles no longer change. */
const SPANS_MAX = 2_000;
/** Combining marks allowed on one letter. */
const FLOOD = /(\p{M}{8})\p{M}+/gu;

/** Whether there is anything to do: for most lines there is not. */
const UNUSUAL =
	/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00a7\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{M}{9}/u;

const TOKEN = new RegExp(
	[
		'(?<hex>§x(?:§[0-9a-f]){6})',
		'§(?<code>[0-9a-fk-or])',
		// OSC and its relatives (titles, links, the clipboard) up to their end
		'(?:\\u001b[\\]PX^_]|[\\u009d\\u0090\\u0098\\u009e\\u009f])[^\\u0007\\u001b\\u0090\\u0098\\u009c-\\u009f\\n]*(?:\\u0007|\\u001b\\\\|\\u009c)',
		'(?:\\u001b\\[|\\u009b)(?<sgr>[\\d;:]*)m',
		'(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]',
		'\\u001b[ -/]*[0-Z\\\\-~]',
		'\\r\\n',
		'[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f]',
		'[\\u00ad\\u061c\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb]',
		'[\\u{e0000}-\\u{e007f}]'
	].join('|'),
	'giu'
);

/** For one token: nothing for what a terminal would obey, a symbol for a character that cannot be seen. */
function visible(token: string) {
	if (token === '\r\n') return '\n';
	const code = token.codePointAt(0)!;
	if (token.length > String.fromCodePoint(code).length) return '';
	if (code < 0x20) return String.fromCodePoint(0x2400 + code);
	if (code === 0x7f) return '␡';
	return `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`;
}

const LOOKS = ['color', 'bold', 'italic', 'underline', 'strike', 'obfuscated'] as const;
const isLike = (a: Style, b: Style) => LOOKS.every((look) => a[look] === b[look]);
