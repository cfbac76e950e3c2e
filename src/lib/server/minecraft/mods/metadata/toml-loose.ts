import { isObject, type JsonObject } from './text.ts';

// Both take time in proportion to the line's length: no two neighbouring parts match the same characters.
const HEADER = /^\s*(\[\[?)([^[\]]+)\]/;
const PAIR = /^\s*(?:"([^"]*)"|'([^']*)'|([\w.${}-]+))\s*=\s*(.*)$/;
const PARTS = /"([^"]*)"|'([^']*)'|([^.\s"']+)/g;
const DEPTH_MAX = 8;

/**
 * Reads tables, lists of tables and pairs of text, line by line, and skips what it does not understand. Null when
 * nothing was understood.
 */
export function parseLooseToml(text: string): JsonObject | null {
	const root = table();
	let current = root;
	let understood = false;
	const lines = text.split('\n');
	for (let i = 0; i < lines.length; i++) {
		const header = HEADER.exec(lines[i]!);
		if (header) {
			current = open(root, partsOf(header[2]!), header[1] === '[[');
			continue;
		}
		const pair = PAIR.exec(lines[i]!);
		if (!pair) continue;
		const quote = /^('''|""")/.exec(pair[4]!)?.[0];
		const long = quote ? longText(lines, i, pair[4]!.slice(3), quote) : null;
		const key = pair[1] ?? pair[2] ?? pair[3]!;
		// The first one counts, as it would if the second were an error.
		current[key] ??= long ? long.text : shortValue(pair[4]!);
		understood = true;
		if (long) i = long.last;
	}
	return understood ? root : null;
}

/** Without a prototype, so that no key is special. */
const table = () => Object.create(null) as JsonObject;

const partsOf = (header: string) =>
	[...header.matchAll(PARTS)].slice(0, DEPTH_MAX).map((part) => part[1] ?? part[2] ?? part[3]!);

/** The table of that name: a new one at the end of its list, or the existing one. */
function open(root: JsonObject, parts: string[], inList: boolean): JsonObject {
	let at = root;
	for (const [i, part] of parts.entries()) {
		const found = at[part];
		const last = i === parts.length - 1;
		if (last && inList) {
			const fresh = table();
			if (Array.isArray(found)) found.push(fresh);
			else at[part] = [fresh];
			return fresh;
		}
		const next: unknown = Array.isArray(found) ? found.at(-1) : found;
		at = isObject(next) ? next : ((at[part] = table()) as JsonObject);
	}
	return at;
}

function longText(lines: string[], first: number, start: string, quote: string) {
	const parts: string[] = [];
	for (let i = first; i < lines.length; i++) {
		const line = i === first ? start : lines[i]!;
		const end = line.indexOf(quote);
		parts.push(end < 0 ? line : line.slice(0, end));
		if (end >= 0) return { text: parts.join('\n').trim(), last: i };
	}
	// It never ends: only its first line counts.
	return { text: start, last: first };
}

function shortValue(value: string): unknown {
	const quoted = /^"((?:[^"\\]|\\.)*)"|^'([^']*)'/.exec(value);
	if (quoted) return quoted[2] ?? quoted[1]!.replace(/\\n/g, '\n').replace(/\\(.)/g, '$1');
	const bare = value.replace(/#.*$/, '').trim().replace(/^["']/, '');
	return bare === 'true' || bare === 'false' ? bare === 'true' : bare;
}
