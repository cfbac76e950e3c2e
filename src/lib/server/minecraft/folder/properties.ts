import { AppError } from '#core/errors';

/** Real files have 2 kB; the limit keeps a hostile one cheap. */
export const PROPERTIES_MAX_BYTES = 256 * 1024;

export type Properties = {
	get(key: string): string | null;
	/** In the order of the file; a repeated key has its last value, as in the game. */
	entries(): [string, string][];
};

/** Where one `key=value` stands in the file: its value from `valueStart` to `end`, which is after its line break. */
type Entry = {
	start: number;
	valueStart: number;
	end: number;
	key: string;
	value: string;
	/** The key and a separator stand on one line, so that they can stay as they are. */
	plainHead: boolean;
};

/**
 * Reads Java's .properties format as the game does: UTF-8, and ISO-8859-1 when it is not (the game wrote that up to
 * 1.19). `AppError('too-large')` over 256 KiB.
 */
export function parseProperties(bytes: Uint8Array): Properties {
	const values = new Map(scan(bytes).entries.map((entry) => [entry.key, entry.value]));
	return { get: (key) => values.get(key) ?? null, entries: () => [...values] };
}

/**
 * Changes values and leaves every other byte alone: comments, order, line breaks, encoding, unknown keys. New keys
 * are appended. Characters outside ASCII are written as `\uXXXX`, which every version of the game reads in either
 * encoding.
 */
export function editProperties(bytes: Uint8Array, changes: Record<string, string>): Uint8Array {
	const { raw, entries, lineBreak } = scan(bytes);
	const wanted = new Map(Object.entries(changes));
	const last = new Map(entries.map((entry) => [entry.key, entry]));
	let out = '';
	let copied = 0;
	for (const entry of [...last.values()].sort((a, b) => a.start - b.start)) {
		const value = wanted.get(entry.key);
		if (value === undefined || value === entry.value) continue;
		const head = entry.plainHead
			? raw.slice(entry.start, entry.valueStart)
			: `${escapeKey(entry.key)}=`;
		const ending = /(?:\r\n|\r|\n)?$/.exec(raw.slice(entry.valueStart, entry.end))![0];
		out += raw.slice(copied, entry.start) + head + escapeValue(value) + ending;
		copied = entry.end;
	}
	out += raw.slice(copied);
	const added = [...wanted].filter(([key]) => !last.has(key));
	if (added.length) out = closed(out, lineBreak);
	for (const [key, value] of added) out += `${escapeKey(key)}=${escapeValue(value)}${lineBreak}`;
	return Buffer.from(out, 'latin1');
}

/** The text with its last line ended, so that the next line begins a new entry: a trailing `\` would swallow it. */
function closed(text: string, lineBreak: string) {
	let ended = text === '' || /[\r\n]$/.test(text) ? text : text + lineBreak;
	// More than once when a `\r` that ended the line becomes half of a `\r\n`.
	while (scan(Buffer.from(ended, 'latin1')).open) ended += lineBreak;
	return ended;
}

const trailingBackslashes = (line: string) => {
	let count = 0;
	while (count < line.length && line[line.length - 1 - count] === '\\') count++;
	return count;
};

/**
 * Works on one character per byte (`raw`), so that untouched bytes come out as they went in. The format's own
 * characters are ASCII, and no byte of a longer UTF-8 sequence is.
 */
function scan(bytes: Uint8Array) {
	if (bytes.byteLength > PROPERTIES_MAX_BYTES)
		throw new AppError(
			'too-large',
			'This .properties file is larger than 256 KiB, which no game server writes. Check what it is.'
		);
	const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
	const decode = decoder(bytes);
	const entries: Entry[] = [];
	let at = raw.startsWith('\u00ef\u00bb\u00bf') ? 3 : 0;
	let open = false;
	while (at < raw.length) {
		const line = logicalLine(raw, at);
		if (line.text !== '') entries.push(entryOf(raw, line, at, decode));
		at = line.end;
		open = line.open;
	}
	const lineBreak = /\r\n|\r|\n/.exec(raw)?.[0] ?? '\n';
	return { raw, entries, lineBreak, open };
}

function decoder(bytes: Uint8Array): (text: string) => string {
	try {
		new TextDecoder('utf-8', { fatal: true }).decode(bytes);
		return (text) => Buffer.from(text, 'latin1').toString('utf8');
	} catch {
		return (text) => text;
	}
}

/**
 * `at[i]` is where character `i` of `text` stands in the file. Comments and blank lines have an empty text. `open`:
 * the file ends although the line continues.
 */
type Logical = { text: string; at: number[]; end: number; open: boolean };

function logicalLine(raw: string, from: number): Logical {
	const line: Logical = { text: '', at: [], end: from, open: false };
	for (;;) {
		const natural = naturalLine(raw, line.end);
		const skipped = /^[ \t\f]*/.exec(natural.text)![0].length;
		const content = natural.text.slice(skipped);
		const start = line.end + skipped;
		line.end = natural.end;
		if (line.text === '' && /^(?:$|[#!])/.test(content)) return line;
		const continues = trailingBackslashes(content) % 2 === 1;
		const kept = continues ? content.slice(0, -1) : content;
		line.text += kept;
		for (let i = 0; i < kept.length; i++) line.at.push(start + i);
		line.open = continues && line.end >= raw.length;
		if (!continues || line.open) return line;
	}
}

function naturalLine(raw: string, from: number) {
	let end = from;
	while (end < raw.length && raw[end] !== '\n' && raw[end] !== '\r') end++;
	const text = raw.slice(from, end);
	if (raw[end] === '\r' && raw[end + 1] === '\n') end++;
	return { text, end: Math.min(end + 1, raw.length) };
}

/** The key ends at the first `=`, `:` or white space that is not escaped by a backslash. */
function entryOf(raw: string, line: Logical, start: number, decode: (t: string) => string): Entry {
	const { text, at, end } = line;
	let keyEnd = 0;
	while (keyEnd < text.length && !'=: \t\f'.includes(text[keyEnd]!))
		keyEnd += text[keyEnd] === '\\' ? 2 : 1;
	keyEnd = Math.min(keyEnd, text.length);
	const separator = /^[ \t\f]*[=:]?[ \t\f]*/.exec(text.slice(keyEnd))![0];
	const from = keyEnd + separator.length;
	const valueStart = at[from] ?? at.at(-1)! + 1;
	return {
		start,
		end,
		valueStart,
		key: unescape(decode(text.slice(0, keyEnd))),
		value: unescape(decode(text.slice(from))),
		plainHead: separator !== '' && !/[\r\n]/.test(raw.slice(start, valueStart))
	};
}

const NAMED: Record<string, string> = { t: '\t', n: '\n', r: '\r', f: '\f' };

/**
 * A backslash before any other character stands for that character, as does a `\u` without four digits (the game
 * refuses it).
 */
const unescape = (text: string) =>
	text.replace(/\\(?:u([0-9a-fA-F]{4})|([^]))|\\$/g, (_, hex?: string, char?: string) =>
		hex ? String.fromCharCode(parseInt(hex, 16)) : char ? (NAMED[char] ?? char) : ''
	);

function escape(text: string, special: RegExp) {
	return text.replace(special, (char) => {
		const name = Object.keys(NAMED).find((key) => NAMED[key] === char);
		if (name) return `\\${name}`;
		if (char >= ' ' && char <= '~') return `\\${char}`;
		return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
	});
}
const escapeKey = (key: string) => escape(key, /[^!-~]|[\\=:#!]/g);
const escapeValue = (value: string) => escape(value, /^ |[^ -~]|[\\=:#!]/g);
