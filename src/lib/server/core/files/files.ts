import { randomBytes } from 'node:crypto';
import { constants, type BigIntStats } from 'node:fs';
import {
	copyFile,
	link,
	mkdir,
	open,
	readFile,
	readdir,
	rename,
	rm,
	stat,
	writeFile,
	type FileHandle
} from 'node:fs/promises';
import path from 'node:path';
import { errno } from '#core/errors';

export const PRIVATE_FILE = 0o600;
export const PRIVATE_DIR = 0o700;
/** The writer of a temp file this old is gone. */
const STALE_TEMP_MS = 10 * 60_000;

/** Creates the folder and its parents with mode 0700 (existing ones keep theirs). */
export const ensureDir = (dir: string) => mkdir(dir, { recursive: true, mode: PRIVATE_DIR });

type WriteOptions = {
	/** The previous content stays under this name, unchanged. */
	keep?: string;
	/** Called once the new content is in place: only the fsync of the folder can fail after that. */
	onReplaced?: () => void;
};

/**
 * Replaces a file as a whole: temp file in the same folder, fsync, rename, fsync of the folder. Readers see the old
 * or the new content, even after a power cut. A symlink at `file` is replaced, never followed. When it throws, the
 * old content stands, with one exception: after a failed fsync of the folder the new one is already in place.
 */
export async function writeAtomic(
	file: string,
	data: string | Uint8Array,
	mode = PRIVATE_FILE,
	{ keep, onReplaced }: WriteOptions = {}
) {
	const temp = tempFor(file);
	try {
		const handle = await open(temp, 'wx', mode);
		try {
			await handle.writeFile(data);
			await handle.sync();
		} finally {
			await handle.close();
		}
		if (keep) await replaceByCopy(file, keep);
		await rename(temp, file);
		onReplaced?.();
	} catch (error) {
		await removeQuietly(temp);
		throw error;
	}
	await syncDir(path.dirname(file));
}

/** A nameless file that holds `data`, to be read from its beginning: it disappears when its handle is closed. */
export async function openNameless(dir: string, data: string | Uint8Array): Promise<FileHandle> {
	const temp = tempFor(path.join(dir, 'nameless'));
	try {
		await writeFile(temp, data, { flag: 'wx', mode: PRIVATE_FILE });
		return await open(temp, constants.O_RDONLY);
	} finally {
		await removeQuietly(temp);
	}
}

/**
 * Puts a second copy of `from` (by hard link where the disk can) at `to`, in one step. Does nothing when `from` is
 * missing.
 */
export async function replaceByCopy(from: string, to: string) {
	const temp = tempFor(to);
	try {
		await link(from, temp).catch(async (error) => {
			if (errno(error) === 'ENOENT') throw error;
			await copyFile(from, temp, constants.COPYFILE_EXCL);
			await syncFile(temp);
		});
		await rename(temp, to);
	} catch (error) {
		if (errno(error) !== 'ENOENT') throw error;
	} finally {
		// Between two names of the same file rename(2) does nothing and leaves both.
		await removeQuietly(temp);
	}
}

const tempFor = (file: string) =>
	path.join(path.dirname(file), `.${path.basename(file)}.${randomBytes(6).toString('hex')}.tmp`);

/** Leftovers are swept later; the failure that led here is the one to report. */
const removeQuietly = (file: string) => rm(file, { force: true }).catch(() => {});

/** Removes temp files that a killed process left in the folder. */
export async function sweepTemps(dir: string, now: Date) {
	for (const name of await readdir(dir)) {
		if (!/^\..+\.[0-9a-f]{12}\.tmp$/.test(name)) continue;
		const file = path.join(dir, name);
		const found = await stat(file).catch(() => null);
		if (found && now.getTime() - found.mtimeMs > STALE_TEMP_MS) await removeQuietly(file);
	}
}

/** Makes renames and deletions in a folder survive a power cut. */
export const syncDir = (dir: string) => syncFile(dir);

async function syncFile(file: string) {
	const handle = await open(file, constants.O_RDONLY);
	try {
		await handle.sync();
	} finally {
		await handle.close();
	}
}

/** The file's text, or null when there is none. */
export async function readTextIfExists(file: string): Promise<string | null> {
	return readFile(file, 'utf8').catch((error) => {
		if (errno(error) === 'ENOENT') return null;
		throw error;
	});
}

/** A handle to a regular file: never a symlink, a FIFO or a device. Null when it is none that we can read. */
export const openRegular = async (file: string): Promise<FileHandle | null> =>
	(await openWithStats(file))?.handle ?? null;

/** The same, and what the file was when it was opened. */
export async function openWithStats(
	file: string
): Promise<{ handle: FileHandle; stats: BigIntStats } | null> {
	const handle = await open(
		file,
		constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
	).catch((error) => {
		if (['ENOENT', 'ELOOP', 'ENXIO', 'ENOTDIR', 'ENAMETOOLONG'].includes(errno(error) ?? ''))
			return null;
		throw error;
	});
	if (!handle) return null;
	const stats = await handle.stat({ bigint: true });
	if (stats.isFile()) return { handle, stats };
	await handle.close();
	return null;
}

/** Appends whole lines with mode 0600; a line torn by an earlier crash is ended first. `own`: never through a link. */
export async function appendLine(file: string, line: string, { sync = false, own = false } = {}) {
	const { O_RDWR, O_CREAT, O_APPEND, O_NOFOLLOW } = constants;
	const flags = O_RDWR | O_CREAT | O_APPEND | (own ? O_NOFOLLOW : 0);
	const handle = await open(file, flags, PRIVATE_FILE);
	try {
		const { size } = await handle.stat();
		const torn =
			size > 0 && (await handle.read(Buffer.alloc(1), 0, 1, size - 1)).buffer[0] !== 0x0a;
		await handle.appendFile(`${torn ? '\n' : ''}${line}\n`);
		if (sync) await handle.datasync();
	} finally {
		await handle.close();
	}
}

export const exists = (file: string) =>
	stat(file).then(
		() => true,
		() => false
	);
