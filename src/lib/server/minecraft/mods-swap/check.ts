import { constants, type Stats } from 'node:fs';
import { access, lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { errno } from '#core/errors';
import { diskTrouble } from '#core/files';

/** Which files of `mods/` are replaced by which; names without a path, hashes in hex. */
export type Swap = {
	/** `from` is any file, even on another filesystem. */
	put: { fileName: string; from: string; sha512: string }[];
	take: { fileName: string; sha512: string }[];
	rename: { from: string; to: string; sha512: string }[];
};

/** Why these names in `dir` cannot be touched, in a sentence; null when they can. */
export async function refusalOf(dir: string, swap: Swap): Promise<string | null> {
	const names = await readdir(dir).catch((error) => {
		if (errno(error) === 'ENOENT') return [];
		throw error;
	});
	const goes = [...swap.take.map((one) => one.fileName), ...swap.rename.map((one) => one.from)];
	const comes = [...swap.put.map((one) => one.fileName), ...swap.rename.map((one) => one.to)];
	for (const name of [...goes, ...comes])
		if (!isPlain(name)) return `“${name}” is not a file name.`;
	return (
		(await folderTrouble(dir)) ??
		twice(comes) ??
		alike(comes, names, goes) ??
		(await firstTrouble(dir, names, [...goes, ...comes]))
	);
}

const isPlain = (name: string) =>
	name !== '' && !name.startsWith('.') && path.basename(name) === name && !name.includes('\0');

async function folderTrouble(dir: string): Promise<string | null> {
	try {
		await access(dir, constants.R_OK | constants.W_OK | constants.X_OK);
		return null;
	} catch (error) {
		return errno(error) === 'ENOENT' ? null : `mods/ cannot be changed: ${diskTrouble(error)}.`;
	}
}

const fold = (name: string) => name.normalize('NFC').toLowerCase();

function twice(comes: string[]): string | null {
	const seen = new Map<string, string>();
	for (const name of comes) {
		const other = seen.get(fold(name));
		if (other !== undefined) return `Two files would be called alike: ${other} and ${name}.`;
		seen.set(fold(name), name);
	}
	return null;
}

/** On some disks both would be the same file, so that one would swallow the other. */
function alike(comes: string[], names: string[], goes: string[]): string | null {
	for (const name of comes) {
		const other = names.find((one) => one !== name && fold(one) === fold(name));
		if (other !== undefined && !goes.includes(other))
			return `mods/ holds ${other} already, which differs from ${name} only in upper and lower case. Remove or rename one of them first.`;
	}
	return null;
}

async function firstTrouble(dir: string, names: string[], touched: string[]) {
	for (const name of touched) {
		if (!names.includes(name)) continue;
		const file = path.join(dir, name);
		const trouble = strange(await lstat(file)) ?? (await unwritable(file));
		if (trouble)
			return `mods/${name} ${trouble}. Craftwarden does not touch it: change that by hand first.`;
	}
	return null;
}

function strange(found: Stats): string | null {
	if (found.isSymbolicLink()) return 'is a symbolic link';
	if (found.isDirectory()) return 'is a folder';
	if (!found.isFile()) return 'is not a regular file';
	if (found.nlink > 1) return 'is a hard link: another name leads to the same file';
	// The superuser may write it all the same; whoever made it read-only had a reason.
	return (found.mode & 0o222) === 0 ? 'is read-only' : null;
}

async function unwritable(file: string): Promise<string | null> {
	try {
		await access(file, constants.W_OK);
		return null;
	} catch (error) {
		return `may not be changed by Craftwarden’s user (${diskTrouble(error)})`;
	}
}
