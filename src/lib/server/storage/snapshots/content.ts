import { lstat, open, readdir, rename, rm, statfs, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { AppError, errno } from '#core/errors';
import { ensureDir, openRegular, PRIVATE_FILE, syncDir } from '#core/files';
import { eachOf, readSteady, type Content, type Read } from './read.ts';

const HASH = /^[0-9a-f]{64}$/;
const DAMAGED = /^[0-9a-f]{64}\.damaged$/;
/** Space left for everybody else on a disk that we fill. */
const RESERVE_BYTES = 4 * 1024 * 1024;
const SYNC_LANES = 4;

export type Condition = 'good' | 'missing' | 'damaged';

/**
 * Files by the sha256 of their content, in folders named after its first two digits. Writers and collectors hold the
 * store's lock.
 */
export interface Contents {
	/** Where the content with this hash lies. */
	at(hash: string): string;
	/** Whether it exists with this size: nothing is read. */
	has(content: Content): Promise<boolean>;
	/**
	 * Copies a file as it is now and returns what it was; on disk once `settle` has been called for its hash. `slot`
	 * is unique to this copy among those in progress.
	 */
	add(file: Buffer, slot: number): Promise<Read>;
	/** Makes the names of these survive a power cut. */
	settle(hashes: Iterable<string>): Promise<void>;
	/** Reads it all. A damaged one is put aside, so that the next snapshot stores that content again. */
	check(content: Content): Promise<Condition>;
	/** Copies it into `to`. False when it is not what it should be. */
	copy(content: Content, to: FileHandle): Promise<boolean>;
	/** Opens it for reading as it is; null when it is not there. */
	open(hash: string): Promise<FileHandle | null>;
	/** Deletes what is not in `keep`, and what dead writers left. */
	collect(keep: ReadonlySet<string>): Promise<void>;
}

export function createContents(dir: string): Contents {
	const fanOf = (hash: string) => path.join(dir, hash.slice(0, 2));
	const fileOf = (hash: string) => path.join(fanOf(hash), hash);
	const asideOf = (hash: string) => `${fileOf(hash)}.damaged`;
	const tempOf = (slot: number) => path.join(dir, `.${slot}.tmp`);
	const matches = (read: Read, { hash, size }: Content) =>
		read.state === 'good' && read.hash === hash && read.size === size;

	return {
		at: fileOf,
		has: async ({ hash, size }) => {
			const stats = await lstat(fileOf(hash)).catch(ifThere);
			return !!stats && stats.isFile() && stats.size === size;
		},
		async add(file, slot) {
			await ensureDir(dir);
			const temp = tempOf(slot);
			try {
				const read = await copyToTemp(file, temp);
				if (read.state !== 'good') return read;
				await ensureDir(fanOf(read.hash));
				await rename(temp, fileOf(read.hash));
				return read;
			} finally {
				await rm(temp, { force: true }).catch(() => {}); // collected later
			}
		},
		async settle(hashes) {
			const fans = new Set([...hashes].map(fanOf));
			if (fans.size === 0) return;
			await eachOf([...fans], SYNC_LANES, syncDir);
			await syncDir(dir);
			await syncDir(path.dirname(dir));
		},
		async check(content) {
			const read = () => readSteady(fileOf(content.hash), null);
			const first = await read();
			if (matches(first, content)) return 'good';
			if (first.state === 'gone')
				return (await lstat(asideOf(content.hash)).catch(ifThere)) ? 'damaged' : 'missing';
			// Once more, before the disk is blamed for a fault of the memory.
			if (matches(await read(), content)) return 'good';
			await rename(fileOf(content.hash), asideOf(content.hash)).catch(() => {});
			return 'damaged';
		},
		copy: async (content, to) => matches(await readSteady(fileOf(content.hash), to), content),
		open: (hash) => openRegular(fileOf(hash)),
		async collect(keep) {
			for (const fan of (await readdir(dir).catch(ifThere)) ?? []) {
				if (/^\.\d+\.tmp$/.test(fan)) await rm(path.join(dir, fan), { force: true });
				if (!/^[0-9a-f]{2}$/.test(fan)) continue;
				for (const name of await readdir(path.join(dir, fan))) {
					const ours = HASH.test(name) || DAMAGED.test(name);
					if (ours && !keep.has(name.slice(0, 64)))
						await rm(path.join(dir, fan, name), { force: true });
				}
			}
		}
	};
}

/** A link in the place of the temp file is not followed; what a dead writer left in it is removed. */
async function copyToTemp(file: Buffer, temp: string): Promise<Read> {
	await rm(temp, { force: true });
	const handle = await open(temp, 'wx', PRIVATE_FILE);
	try {
		const read = await readSteady(file, handle);
		if (read.state === 'good') await handle.sync();
		return read;
	} finally {
		await handle.close();
	}
}

/** Refuses before the disk is full. `what` begins the sentence: 'The snapshot'. */
export async function insistOnRoom(dir: string, bytes: number, what: string) {
	if (bytes === 0) return;
	const { bavail, bsize, blocks } = await statfs(dir);
	const free = bavail * bsize;
	// Some network disks do not report it.
	if (blocks === 0 || free >= bytes + RESERVE_BYTES) return;
	const mb = (count: number) => `${Math.ceil(count / 1e6)} MB`;
	throw new AppError(
		'conflict',
		`${what} needs ${mb(bytes)}, and the disk of ${dir} has ${mb(free)} left. Make room and try again. Nothing was changed.`,
		// A retry while the disk is in trouble recognises it by this.
		{ code: 'disk-full', cause: Object.assign(new Error('No room'), { code: 'ENOSPC' }) }
	);
}

function ifThere(error: unknown): null {
	if (['ENOENT', 'ENOTDIR'].includes(errno(error) ?? '')) return null;
	throw error;
}
