import { constants, type BigIntStats } from 'node:fs';
import { open, readdir, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { errno } from '#core/errors';

const NAMES_MAX = 5000;
/** A file changed more recently than this may change again within the same tick of the file system's clock. */
const SETTLED_MS = 100;

/** Reads a server's folder within limits and remembers what it looked at. Whatever cannot be read counts as missing. */
export interface ServerFolder {
	readonly dir: string;
	/** Sorted names in a sub-folder, at most 5,000; `''` is the folder itself. */
	names(relative: string): Promise<string[]>;
	/** A regular file no larger than that, else null. */
	bytes(relative: string, maxBytes: number): Promise<Buffer | null>;
	/** The beginning of a regular file that only grows: additions do not count as a change. */
	head(relative: string, maxBytes: number): Promise<Buffer | null>;
	/** Calls back with an open regular file and closes it. */
	withFile<T>(relative: string, use: (handle: FileHandle) => Promise<T>): Promise<T | null>;
	/** Whether it exists; later changes of its content do not count, only another file or folder in its place. */
	exists(relative: string): Promise<boolean>;
	/** True when the file is there but this program may not read it. */
	denied(relative: string): boolean;
	/** True while everything that was looked at is unchanged. */
	unchanged(): Promise<boolean>;
}

type Signature = (stats: BigIntStats | null) => string;
const whole: Signature = (s) => (s ? `${s.ino}:${s.mtimeNs}:${s.ctimeNs}:${s.size}` : 'none');
const beginning =
	(maxBytes: number): Signature =>
	(s) =>
		s ? `${s.ino}:${s.size < maxBytes ? s.size : maxBytes}` : 'none';

export function serverFolder(dir: string): ServerFolder {
	const seen = new Map<string, { sign: Signature; was: string; settled: boolean }>();
	const refused = new Set<string>();
	const at = (relative: string) => path.join(dir, relative);

	const remember = (relative: string, sign: Signature, stats: BigIntStats | null) => {
		const age = stats ? Date.now() - Number(stats.mtimeMs) : Infinity;
		seen.set(relative, { sign, was: sign(stats), settled: sign !== whole || age > SETTLED_MS });
	};
	const look = async (relative: string, sign: Signature) => {
		const stats = await statOrNull(at(relative));
		remember(relative, sign, stats);
		return stats;
	};

	const withFile = async <T>(
		relative: string,
		use: (handle: FileHandle, stats: BigIntStats) => Promise<T>,
		sign: Signature = whole
	) => {
		// Not blocking: a FIFO must not hold us up before we know that it is not a regular file.
		const handle = await open(at(relative), constants.O_RDONLY | constants.O_NONBLOCK).catch(
			(error) => {
				if (errno(error) === 'EACCES' || errno(error) === 'EPERM') refused.add(relative);
				return null;
			}
		);
		if (!handle) return look(relative, sign).then(() => null);
		try {
			const stats = await handle.stat({ bigint: true });
			remember(relative, sign, stats);
			return stats.isFile() ? await use(handle, stats) : null;
		} catch (error) {
			// Removed or damaged while it was read: treated as missing, and looked at again next time.
			if (errno(error)) return null;
			throw error;
		} finally {
			await handle.close();
		}
	};

	return {
		dir,
		async names(relative) {
			await look(relative, whole);
			const names = await readdir(at(relative)).catch(() => [] as string[]);
			return names.sort().slice(0, NAMES_MAX);
		},
		bytes: (relative, maxBytes) =>
			withFile(relative, async (handle, { size }) =>
				size > maxBytes ? null : readStart(handle, Number(size))
			),
		head: (relative, maxBytes) =>
			withFile(relative, (handle) => readStart(handle, maxBytes), beginning(maxBytes)),
		withFile,
		exists: async (relative) => (await look(relative, beginning(0))) !== null,
		denied: (relative) => refused.has(relative),
		async unchanged() {
			const checks = [...seen].map(async ([relative, { sign, was, settled }]) =>
				settled ? sign(await statOrNull(at(relative))) === was : false
			);
			return (await Promise.all(checks)).every(Boolean);
		}
	};
}

const statOrNull = (file: string) => stat(file, { bigint: true }).catch(() => null);

async function readStart(handle: FileHandle, maxBytes: number) {
	const buffer = Buffer.alloc(maxBytes);
	let length = 0;
	while (length < maxBytes) {
		const { bytesRead } = await handle.read(buffer, length, maxBytes - length, length);
		if (bytesRead === 0) break;
		length += bytesRead;
	}
	return buffer.subarray(0, length);
}
