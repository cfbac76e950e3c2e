import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, lstat, readdir, rm, stat, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errno } from '#core/errors';
import { readTree, type Tree } from '#core/files';
import type { Installation } from '#minecraft/folder';

/** Beside the worlds that are copied, the game makes new files and needs room for its own. */
const SPARE_BYTES = 64 << 20;
const GIB = 2 ** 30;
const PROBE = '.craftwarden-upgrade-probe-';

export type World = { /** Relative to the server's folder. */ path: string; tree: Tree };
export type Worlds = {
	worlds: World[];
	bytes: number;
	/** Why they cannot be exchanged for copies, in a sentence; null when they can. */
	problem: string | null;
};

/** The worlds that the game opens, with all that is in them. */
export async function lookAtWorlds(
	serverDir: string,
	installation: Pick<Installation, 'worldDir' | 'loader' | 'problem'>
): Promise<Worlds> {
	const { worldDir, problem } = installation;
	const none = { worlds: [], bytes: 0, problem: null };
	const own = path.relative(serverDir, worldDir);
	const there = await typeOf(worldDir);
	// A world that is refused, because it lies elsewhere, is not there either.
	if (there === null) return { ...none, problem };
	const { dev } = await stat(serverDir);
	const worlds: World[] = [];
	for (const relative of [own, ...(await ofPaper(serverDir, own, installation.loader))]) {
		const why = await unfit(serverDir, relative, dev);
		if (why) return { ...none, problem: why };
		const tree = await readTree(path.join(serverDir, relative));
		const [odd] = tree.odd;
		if (odd !== undefined)
			return {
				...none,
				problem: `${path.join(relative, odd)} is a link or a special file: a copy of the world would still write to what it leads to, so a failed upgrade could not be rolled back. Put the files themselves there first.`
			};
		worlds.push({ path: relative, tree });
	}
	return { worlds, bytes: worlds.reduce((sum, { tree }) => sum + tree.bytes, 0), problem: null };
}

const typeOf = (file: string) =>
	lstat(file).catch((error) => {
		if (errno(error) === 'ENOENT' || errno(error) === 'ENOTDIR') return null;
		throw error;
	});

/** Its Nether and End, and worlds of plugins, lie beside. */
async function ofPaper(serverDir: string, own: string, loader: string | null) {
	if (loader !== 'paper' || own.includes('/')) return [];
	const found: string[] = [];
	for (const entry of await readdir(serverDir, { withFileTypes: true })) {
		const { name } = entry;
		if (!entry.isDirectory() || name.startsWith('.') || name === own) continue;
		const isOurs = name === `${own}_nether` || name === `${own}_the_end`;
		if (isOurs || (await typeOf(path.join(serverDir, name, 'level.dat')))) found.push(name);
	}
	return found.sort();
}

/** A rename moves what lies in the folder itself, on its disk. */
async function unfit(serverDir: string, relative: string, dev: number): Promise<string | null> {
	const parts = relative.split('/');
	for (let i = 1; i <= parts.length; i++) {
		const part = parts.slice(0, i).join('/');
		const found = await typeOf(path.join(serverDir, part));
		if (found?.isSymbolicLink())
			return `The world ${relative} is reached through a link (${part}), so the game’s copy and the original could not be exchanged. Put the folder itself there first.`;
		if (found && found.dev !== dev)
			return `${part} is a disk of its own, so the world cannot be exchanged for a copy in one step. Upgrade by hand, or move the world into the server’s folder first.`;
	}
	return null;
}

/** What else is exchanged: parts of the folder that may be on a disk of their own, or a link to one. */
const PARTS = ['mods', 'libraries'];

/** Why they cannot be exchanged by renames alone, in a sentence; null when they can. */
export async function partsProblem(serverDir: string): Promise<string | null> {
	const { dev } = await stat(serverDir);
	for (const part of PARTS) {
		const found = await stat(path.join(serverDir, part)).catch((error) => {
			if (errno(error) === 'ENOENT' || errno(error) === 'ENOTDIR') return null;
			throw error;
		});
		if (found && found.dev !== dev)
			return `${part} is on another disk than the server’s folder, so it could not be exchanged and rolled back in one step with the rest. Upgrade by hand, or move it into the folder first.`;
	}
	return null;
}

/** Why there is no room for copies of so many bytes, in a sentence; null when there is. */
export async function roomProblem(serverDir: string, bytes: number): Promise<string | null> {
	const { bavail, bsize } = await statfs(serverDir);
	const free = bavail * bsize;
	if (free >= bytes + SPARE_BYTES || (free >= SPARE_BYTES && (await sharesBlocks(serverDir))))
		return null;
	const gb = (some: number) => `${(some / GIB).toFixed(1)} GiB`;
	return `The new game opens a copy of the world: that needs ${gb(bytes + SPARE_BYTES)}, and ${gb(free)} are free beside it. Make room first.`;
}

/** Whether a copy of a file on this disk takes no room until it is written to. */
export async function sharesBlocks(dir: string): Promise<boolean> {
	const file = path.join(dir, `${PROBE}${randomBytes(6).toString('hex')}`);
	try {
		await writeFile(file, Buffer.alloc(4096, 1));
		await copyFile(file, `${file}-copy`, constants.COPYFILE_FICLONE_FORCE);
		return true;
	} catch {
		return false; // every refusal means the same
	} finally {
		for (const one of [file, `${file}-copy`]) await rm(one, { force: true });
	}
}
