/**
 * Parses JSON as mods write it and as the loaders read it: a byte order mark, raw line breaks and tabs in strings,
 * invalid escapes, single quotes, unquoted words, comments and trailing commas are tolerated. Undefined when it is
 * not JSON even so.
 */
export function parseJson(text: string): unknown {
	const plain = text.replace(/^\ufeff/, '');
	try {
		return JSON.parse(plain);
	} catch {
		// Probably written by hand: repaired and tried again.
	}
	try {
		return JSON.parse(mended(plain));
	} catch {
		return undefined;
	}
}

const WORD = /[\w$@.+-]+/y;
const VALUE = /^(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

/** One pass, so that hostile text costs no more than its length. */
function mended(text: string): string {
	const out: string[] = [];
	/** The position in `out` of a comma that nothing has followed yet. */
	let comma = -1;
	let at = 0;
	while (at < text.length) {
		const after = commentEnd(text, at);
		if (after > at) {
			at = after;
			continue;
		}
		const piece = pieceAt(text, at);
		at += piece.length;
		if (piece.length === 1 && /\s/.test(piece)) continue;
		if ((piece === '}' || piece === ']') && comma >= 0) out[comma] = '';
		comma = piece === ',' ? out.length : -1;
		out.push(strict(piece));
	}
	return out.join('');
}

function commentEnd(text: string, at: number) {
	if (text[at] === '#' || text.startsWith('//', at)) {
		const end = text.indexOf('\n', at);
		return end < 0 ? text.length : end;
	}
	if (!text.startsWith('/*', at)) return at;
	const end = text.indexOf('*/', at + 2);
	return end < 0 ? text.length : end + 2;
}

/** A whole string, a whole word, or one character. */
function pieceAt(text: string, start: number): string {
	const quote = text[start]!;
	if (quote === '"' || quote === "'") {
		let at = start + 1;
		while (at < text.length && text[at] !== quote) at += text[at] === '\\' ? 2 : 1;
		return text.slice(start, at + 1);
	}
	WORD.lastIndex = start;
	return WORD.exec(text)?.[0] ?? quote;
}

function strict(piece: string): string {
	const quoted = piece.startsWith('"') || piece.startsWith("'");
	if (quoted) return `"${escaped(piece.slice(1, -1))}"`;
	return VALUE.test(piece) || '{}[],:'.includes(piece) ? piece : `"${escaped(piece)}"`;
}

// eslint-disable-next-line no-control-regex -- these are what JSON forbids in a string
const CONTROLS = /[\u0000-\u001f]/g;

const escaped = (inside: string) =>
	inside
		.replace(/\\(u[0-9a-fA-F]{4}|[\s\S])|"/g, (found, what: string | undefined) => {
			if (what === undefined) return '\\"';
			return what.length > 1 || '\\"/bfnrt'.includes(what) ? found : what;
		})
		.replace(CONTROLS, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
