import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readdir, rm, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { JAR_MAX_BYTES, SafeJarName } from '#schemas/mod';
import type { Clock } from '#core/clock';
import { AppError, errno } from '#core/errors';
import { diskTrouble, ensureDir, openRegular, PRIVATE_FILE } from '#core/files';
import type { JarFacts } from '#minecraft/mods';

export type Upload = { name: string; bytes: AsyncIterable<Uint8Array> };

/** An upload that is on disk, whole. */
export type Staged = {
	path: string;
	/** The name the person gave it, safe to write; or null. */
	name: string | null;
	size: number;
	sha512: string;
	facts: JarFacts;
};

type Deps = {
	/** `DATA_DIR/uploads`. */
	dir: string;
	readJar: (handle: FileHandle) => Promise<JarFacts>;
	clock: Clock;
	/** For tests. */
	maxBytes?: number;
};

/** What a killed process left: no operation waits that long for its file. */
const STALE_MS = 24 * 60 * 60_000;

/**
 * Writes an upload beside `mods/`, never into it, and reads what it is. AppError `too-large`, `invalid`, `malformed`
 * (the upload broke off), `internal` (the disk); nothing stays behind then.
 */
export async function receive(upload: Upload, deps: Deps, signal: AbortSignal): Promise<Staged> {
	if (!/\.jar$/i.test(upload.name))
		throw new AppError('invalid', 'Choose a mod: a file that ends in .jar.');
	await ensureDir(deps.dir);
	await sweep(deps.dir, deps.clock.now());
	const file = path.join(deps.dir, `${randomBytes(8).toString('hex')}.jar`);
	try {
		const { size, sha512 } = await write(upload.bytes, file, {
			maxBytes: deps.maxBytes ?? JAR_MAX_BYTES,
			signal
		});
		if (size === 0) throw new AppError('invalid', 'The file is empty.');
		const name = SafeJarName.safeParse(upload.name).data ?? null;
		return { path: file, name, size, sha512, facts: await factsOf(file, deps.readJar) };
	} catch (error) {
		await discard(file);
		throw error;
	}
}

/** A file that is not needed; leftovers are removed later. */
export const discard = (file: string) => rm(file, { force: true }).catch(() => {});

async function write(
	bytes: AsyncIterable<Uint8Array>,
	file: string,
	{ maxBytes, signal }: { maxBytes: number; signal: AbortSignal }
) {
	const hash = createHash('sha512');
	let size = 0;
	const disk = onDisk(
		await onDisk(null)(() =>
			open(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, PRIVATE_FILE)
		)
	);
	try {
		for await (const chunk of bytes) {
			if (signal.aborted) throw new AppError('busy', 'Craftwarden is shutting down.');
			size += chunk.byteLength;
			if (size > maxBytes)
				throw new AppError('too-large', `A jar may have at most ${maxBytes >> 20} MB.`);
			hash.update(chunk);
			await disk((handle) => handle.writeFile(chunk));
		}
		await disk((handle) => handle.sync());
	} catch (cause) {
		if (cause instanceof AppError) throw cause;
		throw new AppError('malformed', 'The upload broke off. Try again.', { cause });
	} finally {
		await disk((handle) => handle.close());
	}
	return { size, sha512: hash.digest('hex') };
}

/** Distinguishes disk errors from the sender's. */
const onDisk =
	<H>(handle: H) =>
	async <T>(work: (handle: H) => Promise<T>): Promise<T> => {
		try {
			return await work(handle);
		} catch (cause) {
			if (errno(cause) === null) throw cause;
			const why = `The upload could not be kept: ${diskTrouble(cause)}.`;
			throw new AppError('internal', why, { cause });
		}
	};

/** What a jar says that is not in `mods/` yet. */
export async function factsOf(file: string, readJar: Deps['readJar']): Promise<JarFacts> {
	const handle = await openRegular(file);
	if (!handle) throw new AppError('internal', 'The file is gone. Try again.');
	try {
		return await readJar(handle);
	} finally {
		await handle.close();
	}
}

async function sweep(dir: string, now: Date) {
	for (const name of await readdir(dir)) {
		const file = path.join(dir, name);
		const found = await stat(file).catch(() => null);
		if (found?.isFile() && now.getTime() - found.mtimeMs > STALE_MS) await discard(file);
	}
}
