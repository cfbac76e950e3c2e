import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** Limits of the search: enough for any pack, and done in a moment. */
const FILES_MAX = 2000;
const FILE_MAX_BYTES = 256 * 1024;
const ALL_MAX_BYTES = 16 * 2 ** 20;
const SECRETS_MAX = 500;
/** Hiding shorter values would turn half of the log into asterisks. */
const SECRET_MIN = 6;

const CONFIGURATION = /\.(?:toml|json5?|jsonc|ya?ml|properties|conf|cfg|ini|txt|env|js|zs|snbt)$/i;
/** `botToken = "x"`, `"apiKey": "x"`, `db_pass: x`, `S:"Bot Token"=x`; an object or a list is no value. */
const NAMED =
	/(?:passw(?:or)?d|passphrase|secret|token|webhook|credential|(?<![a-z])(?:pass|pwd)(?![a-z])|(?:api|private|access|auth|licen[cs]e)[ _.-]?key)[\w.-]{0,64}["']?[ \t]{0,8}[:=][ \t]{0,8}("(?:[^"\\\r\n]|\\.){1,4096}"|'[^'\r\n]{1,4096}'|[^\s"'{[][^\r\n]{0,4095})/gi;
/** Well-known words, of which the log is full. */
const WORDS =
	/^(?:password|passwd|secret|changeme|default|disabled|enabled|localhost|minecraft|fabric|quilt|forge|neoforge|server|example|optional|required|undefined)$/i;

/**
 * The values that a copied configuration calls a password, token, webhook or the like, since a mod may print them. It
 * goes by the names of keys, so it finds the usual secrets, not everything that could be one.
 */
export async function secretsIn(
	dir: string,
	files: { file: string; bytes: number }[]
): Promise<string[]> {
	const found = new Set<string>();
	const read = files
		.filter(({ file, bytes }) => CONFIGURATION.test(file) && bytes <= FILE_MAX_BYTES)
		.slice(0, FILES_MAX);
	let left = ALL_MAX_BYTES;
	for (const { file, bytes } of read) {
		if ((left -= bytes) < 0) break;
		const text = await readFile(path.join(dir, file), 'utf8').catch(() => ''); // it may have been removed
		for (const secret of namedIn(text)) found.add(secret);
		if (found.size >= SECRETS_MAX) break;
	}
	return [...found].slice(0, SECRETS_MAX);
}

/** The values of keys that are named like secrets. */
export function namedIn(text: string): string[] {
	const values = [...text.matchAll(NAMED)].flatMap(([, value]) => valuesOf(value!));
	return values.filter((value) => value.length >= SECRET_MIN && !WORDS.test(value));
}

/** Without quotes a value may end with the line, a comma or a comment, so all of them count. */
function valuesOf(written: string): string[] {
	const quote = written[0];
	if (quote === '"') return [unescaped(written)];
	if (quote === "'") return [written.slice(1, -1)];
	const line = written.trim();
	return [line, line.split(/[\s,;}\])]/, 1)[0]!];
}

function unescaped(quoted: string): string {
	try {
		return String(JSON.parse(quoted));
	} catch {
		return quoted.slice(1, -1);
	}
}
