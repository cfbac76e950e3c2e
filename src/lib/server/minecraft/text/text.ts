/* eslint-disable no-control-regex -- this file takes them out */
const COMPONENT_MAX_DEPTH = 32;
const COMPONENT_MAX_NODES = 2_000;
const TEXT_MAX_CHARS = 1_000;
/** A hex colour (`§x§1§2…`) puts 14 characters before one. */
const CODES_PER_CHAR = 16;

// What a terminal obeys: OSC and its relatives up to their end, CSI, and two-character escapes.
const ANSI_STRINGS =
	/(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u0090\u0098\u009c-\u009f\n]*(?:\u0007|\u001b\\|\u009c)/g;
const ANSI = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[ -/]*[0-Z\\-~]/g;
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** Reorders text, or is present but invisible. Joiners stay: words and emoji need them. */
const INVISIBLE =
	/[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;
/** From the first § of a run on, so that a long run costs no more than its length. */
const CODES = /(?<!§)§+[0-9a-fk-orx]/gi;

/**
 * Text without § codes, ANSI sequences, control and bidi characters; line breaks stay, tabs become spaces, lone
 * surrogates U+FFFD. Takes time in proportion to the length.
 */
export const stripCodes = (text: string): string =>
	text
		.replace(ANSI_STRINGS, '')
		.replace(ANSI, '')
		.replace(/\t/g, ' ')
		.replace(/[\u2028\u2029]/g, '\n')
		.replace(CONTROLS, '')
		.replace(INVISIBLE, '')
		.replace(CODES, '')
		.toWellFormed();

/**
 * A text component (string, object or array, from JSON) as plain text: formatting removed, trimmed, at most
 * `maxChars` UTF-16 units, a cut is marked with `…`. Parts nested too deeply, or too many, are left out.
 */
export function plainText(component: unknown, maxChars = TEXT_MAX_CHARS): string {
	return cutText(stripCodes(flatten(component, maxChars * CODES_PER_CHAR)).trim(), maxChars);
}

function cutText(text: string, maxChars: number) {
	if (text.length <= maxChars) return text;
	const kept = text.slice(0, Math.max(0, maxChars - 1));
	// A lone surrogate at the end would not be text.
	return `${kept.isWellFormed() ? kept : kept.slice(0, -1)}…`;
}

function flatten(component: unknown, maxRaw: number): string {
	let text = '';
	let nodes = 0;

	const visit = (part: unknown, depth: number): void => {
		if (text.length > maxRaw || depth > COMPONENT_MAX_DEPTH || ++nodes > COMPONENT_MAX_NODES)
			return;
		if (typeof part === 'string') text += part.slice(0, maxRaw + 1);
		else if (typeof part === 'number' || typeof part === 'boolean') text += part;
		else if (Array.isArray(part)) each(part, depth);
		else if (typeof part === 'object' && part !== null)
			visitObject(part as Record<string, unknown>, depth);
	};
	const each = (parts: unknown[], depth: number) => {
		for (const part of parts) {
			if (text.length > maxRaw || nodes > COMPONENT_MAX_NODES) return;
			visit(part, depth + 1);
		}
	};
	const visitObject = (part: Record<string, unknown>, depth: number) => {
		if (part.text !== undefined) visit(part.text, depth + 1);
		else if (part.translate !== undefined) visitTranslation(part, depth);
		else visit(part.keybind ?? (part.score as { value?: unknown } | null)?.value, depth + 1);
		if (Array.isArray(part.extra)) each(part.extra, depth);
	};
	/** There is no language file here: the fallback, or the key, with its arguments inserted. */
	const visitTranslation = (part: Record<string, unknown>, depth: number) => {
		const pattern = typeof part.fallback === 'string' ? part.fallback : part.translate;
		if (typeof pattern !== 'string') return;
		const args = Array.isArray(part.with) ? part.with : [];
		let next = 0;
		for (const piece of pattern.slice(0, maxRaw).split(/(%(?:\d{1,2}\$)?s)/)) {
			const place = /^%(?:(\d+)\$)?s$/.exec(piece);
			if (!place) visit(piece, depth + 1);
			else visit(args[place[1] ? Number(place[1]) - 1 : next++], depth + 1);
		}
	};

	visit(component, 0);
	return text;
}
