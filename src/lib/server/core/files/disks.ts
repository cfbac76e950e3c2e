import { stat, statfs } from 'node:fs/promises';

/** The space on the disk that holds a folder; `dir` is the first of the folders there. */
export type Disk = { dir: string; freeBytes: number; totalBytes: number };

const LOW_BYTES = 2 * 2 ** 30;
const LOW_SHARE = 0.05;
/** 5 % of a large disk is plenty. */
const PLENTY_BYTES = 20 * 2 ** 30;

/** So full that somebody should make room before the game cannot save. */
export const isAlmostFull = ({ freeBytes, totalBytes }: Omit<Disk, 'dir'>) =>
	freeBytes < LOW_BYTES || (freeBytes < PLENTY_BYTES && freeBytes < totalBytes * LOW_SHARE);

/** Decimal, as the pages have it: `1.5 GB`. */
export const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(bytes < 1e10 ? 1 : 0)} GB`;

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
