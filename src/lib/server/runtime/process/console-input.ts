import { constants } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '#core/errors';
import { run } from '#core/exec';
import { ensureDir } from '#core/files';

const MKFIFO_LIMIT_MS = 5000;

/**
 * An input that never ends, for a game that ends with its input: a FIFO opened for reading and writing, so that the
 * game that inherits it is a writer itself and outlives us. It loses its name at once, so nobody else can write into
 * it. `AppError` when there is no `mkfifo` here, or it does not work in this folder.
 */
export async function openInput(file: string): Promise<FileHandle> {
	await ensureDir(path.dirname(file));
	await rm(file, { force: true });
	await run('mkfifo', ['-m', '600', file], { timeoutMs: MKFIFO_LIMIT_MS });
	try {
		return await openFifo(file);
	} finally {
		await rm(file, { force: true });
	}
}

async function openFifo(file: string): Promise<FileHandle> {
	const handle = await open(file, constants.O_RDWR | constants.O_NOFOLLOW);
	if ((await handle.stat()).isFIFO()) return handle;
	await handle.close();
	throw new AppError('internal', `${file} is not the FIFO that was just made.`);
}
