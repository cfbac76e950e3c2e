import { isUtf8 } from 'node:buffer';

/**
 * Names on disk are bytes, not text. Here they are "byte strings": one character per byte, so that they compare and
 * sort as bytes do, and come back exactly.
 */
export const toBytes = (name: string) => Buffer.from(name, 'latin1');
export const fromBytes = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
export const fromText = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

/** For people and for JSON; null when it is not text. */
export function asText(name: string): string | null {
	const bytes = toBytes(name);
	return isUtf8(bytes) ? bytes.toString('utf8') : null;
}

const SHOWN_MAX = 200;

/** For messages: whatever it contains, on one line. */
export const shown = (name: string) =>
	toBytes(name)
		.toString('utf8')
		.replace(/[\p{C}\u2028\u2029]/gu, '\u{fffd}')
		.slice(0, SHOWN_MAX);

/** Sorts as a walk goes: a folder, its content, its next sibling. */
export const walkKey = (path: string) => path.replaceAll('/', '\0');

const PATH_MAX = 4096;
const NAME_MAX = 255;

/** A path below the root whose parts are all real names. */
export function isSafePath(path: string): boolean {
	if (path.length === 0 || path.length > PATH_MAX || path.includes('\0')) return false;
	return path
		.split('/')
		.every((part) => part !== '' && part !== '.' && part !== '..' && part.length <= NAME_MAX);
}

/**
 * A link that stays below the root, wherever that is: it begins with at most as many `..` as there are folders above
 * it, and has none after that. What it leads through are links of the same kind, or folders.
 */
export function staysInside(path: string, target: string): boolean {
	if (
		target.length === 0 ||
		target.length > PATH_MAX ||
		target.startsWith('/') ||
		target.includes('\0')
	)
		return false;
	const parts = target.split('/').filter((part) => part !== '' && part !== '.');
	const ups = parts.findIndex((part) => part !== '..');
	const up = ups === -1 ? parts.length : ups;
	if (parts.slice(up).includes('..')) return false;
	return up < path.split('/').length;
}
