import { constants, type Stats } from 'node:fs';
import { chmod, chown, copyFile, lstat, mkdir, readdir, utimes } from 'node:fs/promises';
import path from 'node:path';

export type Tree = {
	/** Relative paths; folders come before what is in them, and the first is the root itself. */
	dirs: string[];
	files: { file: string; bytes: number }[];
	bytes: number;
	/** Links, sockets and devices: a copy of them would not be one of what they lead to. */
	odd: string[];
};

/** Looks at everything below a folder; links are never followed. */
export async function readTree(root: string): Promise<Tree> {
	const tree: Tree = { dirs: ['.'], files: [], bytes: 0, odd: [] };
	for (const dir of tree.dirs)
		for (const entry of await readdir(path.join(root, dir), { withFileTypes: true })) {
			const file = path.join(dir, entry.name);
			if (entry.isDirectory()) tree.dirs.push(file);
			else if (!entry.isFile()) tree.odd.push(file);
			else {
				const { size } = await lstat(path.join(root, file));
				tree.files.push({ file, bytes: size });
				tree.bytes += size;
			}
		}
	return tree;
}

type How = { signal?: AbortSignal; progress?: (bytes: number) => void };

const LANES = 4;

/**
 * Copies what was seen into a folder that is not there yet: the same bytes, permissions and times. Where the disk can,
 * both share their blocks until one of them is written to. What was copied is not flushed.
 */
export async function copyTree(from: string, to: string, tree: Tree, how: How = {}) {
	for (const dir of tree.dirs) await mkdir(path.join(to, dir), { recursive: true });
	const waiting = tree.files.values();
	let done = 0;
	const failures: unknown[] = [];
	const lane = async () => {
		for (const { file, bytes } of waiting) {
			how.signal?.throwIfAborted();
			if (failures.length > 0) return;
			const [source, target] = [path.join(from, file), path.join(to, file)];
			await copyFile(source, target, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
			await dress(target, await lstat(source));
			how.progress?.((done += bytes));
		}
	};
	// Rejects only after all of them have stopped, so the caller may then remove the copy.
	const lanes = Array.from({ length: LANES }, () => lane().catch((error) => failures.push(error)));
	await Promise.all(lanes);
	if (failures.length > 0) throw failures[0];
	// Last, and from the inside out: writing into a folder changes its time.
	for (const dir of tree.dirs.toReversed())
		await dress(path.join(to, dir), await lstat(path.join(from, dir)));
}

async function dress(file: string, { mode, uid, gid, atime, mtime }: Stats) {
	if (process.getuid?.() === 0) await chown(file, uid, gid);
	await chmod(file, mode);
	await utimes(file, atime, mtime);
}
