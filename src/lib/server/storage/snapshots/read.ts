import { createHash } from 'node:crypto';
import { constants, type BigIntStats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { errno } from '#core/errors';
import { onDisk } from '#core/files';
import { shown, type Name } from './names.ts';

/** Hashing one slice blocks the thread for a third of a millisecond. */
const SLICE_BYTES = 512 * 1024;
const READ_ONLY = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** Disk clocks tick: two changes within one tick look like one. */
const TICK_MS = 100;
const COARSE_TICK_MS = 3_000;

export type Content = { hash: string; size: number };
export type Read =
	| ({ state: 'good'; stats: BigIntStats } & Content)
	/** It was written to meanwhile: what was read is not a version of it. */
	| { state: 'changing' }
	| { state: 'gone' }
	/** It is a link, folder or device by now. */
	| { state: 'no-file' };

/** Reads a regular file, never through a link in its place, and says whether it stayed unchanged meanwhile. */
export async function readSteady(file: Buffer | string, to: FileHandle | null): Promise<Read> {
	const handle = await openToRead(file);
	if (typeof handle === 'string') return { state: handle };
	try {
		const before = await handle.stat({ bigint: true });
		if (!before.isFile()) return { state: 'no-file' };
		const content = await pour(handle, to, Number(before.size));
		const stats = await handle.stat({ bigint: true });
		const steady = printOf(before) === printOf(stats) && content.size === Number(stats.size);
		return steady ? { state: 'good', stats, ...content } : { state: 'changing' };
	} finally {
		await handle.close();
	}
}

async function openToRead(file: Buffer | string): Promise<FileHandle | 'gone' | 'no-file'> {
	try {
		return await open(file, READ_ONLY);
	} catch (error) {
		const code = errno(error) ?? '';
		if (code === 'ENOENT') return 'gone';
		if (['ELOOP', 'ENXIO', 'ENOTDIR', 'ENODEV'].includes(code)) return 'no-file';
		throw error;
	}
}

/** In slices, so that everything else continues; one byte past the expected size ends it. */
async function pour(from: FileHandle, to: FileHandle | null, expected: number): Promise<Content> {
	const buffer = Buffer.allocUnsafe(Math.min(SLICE_BYTES, expected + 1));
	const hash = createHash('sha256');
	let size = 0;
	while (size <= expected) {
		const { bytesRead } = await from.read(buffer, 0, buffer.length, size);
		if (bytesRead === 0) break;
		const slice = buffer.subarray(0, bytesRead);
		hash.update(slice);
		if (to) await writeWhole(to, slice, size);
		size += bytesRead;
	}
	return { hash: hash.digest('hex'), size };
}

async function writeWhole(to: FileHandle, bytes: Buffer, position: number) {
	for (let done = 0; done < bytes.length;) {
		const { bytesWritten } = await to.write(bytes, done, bytes.length - done, position + done);
		done += bytesWritten;
	}
}

/** Two equal ones of the same name mean the same content, unless it changed twice within a tick. */
const printOf = ({ size, mtimeNs, ctimeNs, ino }: BigIntStats) =>
	`${size}:${mtimeNs}:${ctimeNs}:${ino}`;

/** How the next snapshot recognises it; null while it is too fresh to be told from a later version. */
export function fingerprint(stats: BigIntStats): string | null {
	const tickMs = stats.ctimeNs % 1_000_000_000n === 0n ? COARSE_TICK_MS : TICK_MS;
	// The disk's clock is the system's, not one that a test moves.
	return Date.now() - Number(stats.ctimeNs / 1_000_000n) > tickMs ? printOf(stats) : null;
}

/** Adds the file's name to the disk's error. */
export const naming = <T>(name: Name, work: () => Promise<T>) =>
	onDisk(`${shown(name)} cannot be read`, work);

/** Does `work` for each, a few at a time, and keeps the order of the results. */
export async function eachOf<T, R>(
	items: readonly T[],
	lanes: number,
	work: (item: T, index: number) => Promise<R>
): Promise<R[]> {
	const results = new Array<R>(items.length);
	let next = 0;
	let failed = false;
	const lane = async () => {
		while (next < items.length && !failed) {
			const index = next++;
			try {
				results[index] = await work(items[index]!, index);
			} catch (error) {
				failed = true;
				throw error;
			}
		}
	};
	const ends = await Promise.allSettled(Array.from({ length: lanes }, lane));
	// All lanes have stopped: nothing is still being written when this throws.
	for (const end of ends) if (end.status === 'rejected') throw end.reason;
	return results;
}
