import { stat, statfs } from 'node:fs/promises';

/** The space on the disk that holds a folder; `dir` is the first of the folders there. */
export type Disk = { dir: string; freeBytes: number; totalBytes: number };

/** Each disk once. A folder that does not exist yet, or a disk that does not answer, is left out. */
export async function disksOf(dirs: string[]): Promise<Disk[]> {
	const disks = new Map<number, Disk>();
	for (const dir of dirs) {
		const [at, fs] = await Promise.all([
			stat(dir).catch(() => null),
			statfs(dir).catch(() => null)
		]);
		if (!at || !fs || disks.has(at.dev)) continue;
		const { bavail, blocks, bsize } = fs;
		disks.set(at.dev, { dir, freeBytes: bavail * bsize, totalBytes: blocks * bsize });
	}
	return [...disks.values()];
}
