import { constants } from 'node:fs';
import { lstat, open, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { errno } from '#core/errors';
import { ensureDir, lastLines, PRIVATE_FILE, syncDir } from '#core/files';

const OUTPUT_MAX_BYTES = 64 * 1024 * 1024;
const KEPT_BYTES = 256 * 1024;
const LINES = 500;

/** Opens the file to which the game writes its output; the one of the previous run stays as `server.1.log`. */
export async function openOutput(file: string) {
	await ensureDir(path.dirname(file));
	if (await sizeOf(file)) {
		await rename(file, file.replace(/\.log$/, '.1.log'));
		await syncDir(path.dirname(file));
	}
	const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
	return open(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, PRIVATE_FILE);
}

/**
 * Truncates the file when it has grown beyond the limit. The game appends (O_APPEND), so it simply continues after
 * that.
 */
export async function boundOutput(file: string, maxBytes = OUTPUT_MAX_BYTES): Promise<boolean> {
	if ((await sizeOf(file)) <= maxBytes) return false;
	const handle = await open(file, constants.O_RDWR | constants.O_APPEND | constants.O_NOFOLLOW);
	try {
		const { size } = await handle.stat();
		const kept = Buffer.alloc(Math.min(KEPT_BYTES, size));
		const { bytesRead } = await handle.read(kept, 0, kept.length, size - kept.length);
		await handle.truncate(0);
		await handle.write(`… cut: the output was larger than ${maxBytes} bytes\n`);
		await handle.write(kept.subarray(0, bytesRead));
	} finally {
		await handle.close();
	}
	return true;
}

/** The newest lines, if something has been written since then (ISO 8601). */
export async function readOutput(file: string, since: string): Promise<string[]> {
	const found = await lstat(file).catch((error) => {
		if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(errno(error) ?? '')) return null;
		throw error;
	});
	return found?.isFile() && found.mtimeMs >= Date.parse(since) ? lastLines(file, LINES) : [];
}

const sizeOf = (file: string) =>
	stat(file).then(
		(found) => found.size,
		(error) => {
			if (errno(error) === 'ENOENT') return 0;
			throw error;
		}
	);
