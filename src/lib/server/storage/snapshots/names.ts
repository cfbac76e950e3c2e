import path from 'node:path';

/**
 * A name below the server's folder, `mods/sodium.jar`, with one character per byte: names on this disk are bytes, and
 * a name that is not text must be reachable too.
 */
export type Name = string;

/** What a snapshot covers, and nothing else: mods and their configuration. */
export const ROOTS: readonly Name[] = ['mods', 'config', 'defaultconfigs'];

/** In a covered root while a snapshot is restored; never part of one. */
export const STAGING = /^\.craftwarden-restore-[0-9a-f]{12}$/;

export const nameOf = (bytes: Uint8Array): Name => Buffer.from(bytes).toString('latin1');
export const bytesOf = (name: Name) => Buffer.from(name, 'latin1');
/** Its path on disk. */
export const placeOf = (dir: string, name: Name) =>
	Buffer.concat([Buffer.from(`${dir}/`), bytesOf(name)]);
/** Converts an absolute path of ours to a name below `dir`; null when it is not below it. */
export function nameBelow(dir: string, file: string): Name | null {
	const relative = path.relative(dir, file);
	if (relative === '' || path.isAbsolute(relative) || /^\.\.(\/|$)/.test(relative)) return null;
	return nameOf(Buffer.from(relative));
}

export const parentOf = (name: Name): Name | null =>
	name.includes('/') ? name.slice(0, name.lastIndexOf('/')) : null;
export const rootOf = (name: Name): Name => name.split('/', 1)[0]!;
export const isBelow = (name: Name, dir: Name) => name.startsWith(`${dir}/`);

/** As a file name that others use. */
export const textOf = (name: Name) => bytesOf(name).toString('utf8');

/** For a sentence: hostile text without control characters, not too long. */
export function shown(name: Name): string {
	const text = textOf(name).replace(/[\p{C}\u2028\u2029]/gu, '\ufffd');
	return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
