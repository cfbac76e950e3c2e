/** Runs in a worker thread: hashes and reads one named file after the other. Ends when its port closes. */
import { createHash } from 'node:crypto';
import { readSync, type BigIntStats } from 'node:fs';
import { lstat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { errno } from '#core/errors';
import { openRegular } from '#core/files';
import { readJar, type JarFacts } from './jar.ts';

/** What identifies a file's content without reading it. */
export type Identity = { size: bigint; mtimeNs: bigint; ino: bigint };
export type ScannedFile =
	| { found: false }
	/** It exists but cannot be read: not a file, or not permitted. */
	| { found: true; regular: false; allowed: boolean }
	/** `identity` is null when it was written to meanwhile: then the hash is worth nothing. */
	| {
			found: true;
			regular: true;
			identity: Identity | null;
			sha512: string;
			facts: JarFacts;
	  };
/** `ready`: the thread has begun. `reading`: hashing, which takes as long as the disk does, is over. */
export type FromWorker =
	{ state: 'ready' } | { state: 'reading' } | { state: 'done'; file: ScannedFile };

/** Fits into the processor's cache. */
const CHUNK_BYTES = 256 << 10;
const GONE = ['ENOENT', 'ENOTDIR'];

const { dir } = workerData as { dir: string };
const chunk = Buffer.allocUnsafe(CHUNK_BYTES);

parentPort?.on('message', (name: string) => {
	scan(path.join(dir, name)).then(
		(file) => send({ state: 'done', file }),
		// Nobody awaits this promise: a rejection is reported as an error of the thread.
		(error) =>
			setImmediate(() => {
				throw error;
			})
	);
});

const send = (message: FromWorker) => parentPort?.postMessage(message);

async function scan(file: string): Promise<ScannedFile> {
	let handle: FileHandle | null = null;
	try {
		handle = await openRegular(file);
		if (handle) return await scanOpened(handle);
		await lstat(file);
		return { found: true, regular: false, allowed: true };
	} catch (error) {
		if (errno(error) === null) throw error;
		if (GONE.includes(errno(error)!)) return { found: false };
		return { found: true, regular: false, allowed: false };
	} finally {
		await handle?.close();
	}
}

async function scanOpened(handle: FileHandle): Promise<ScannedFile> {
	const before = identityOf(await handle.stat({ bigint: true }));
	const sha512 = hash(handle.fd);
	send({ state: 'reading' });
	const facts = await readJar(handle);
	const after = identityOf(await handle.stat({ bigint: true }));
	const same =
		before.size === after.size && before.mtimeNs === after.mtimeNs && before.ino === after.ino;
	return { found: true, regular: true, identity: same ? after : null, sha512, facts };
}

const identityOf = ({ size, mtimeNs, ino }: BigIntStats): Identity => ({ size, mtimeNs, ino });

/** Nobody else waits for this thread: reading synchronously, without the thread pool, is faster. */
function hash(fd: number) {
	const sha512 = createHash('sha512');
	for (let at = 0; ;) {
		const length = readSync(fd, chunk, 0, CHUNK_BYTES, at);
		if (length === 0) break;
		sha512.update(chunk.subarray(0, length));
		at += length;
	}
	return sha512.digest('hex');
}

send({ state: 'ready' });
