import { randomBytes } from 'node:crypto';
import { rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { JAR_MAX_BYTES, SafeJarName } from '#schemas/mod';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import { ensureDir, openRegular, sweepIncoming, writeIncoming } from '#core/files';
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

/**
 * Writes an upload beside `mods/`, never into it, and reads what it is. AppError `too-large`, `invalid`, `malformed`
 * (the upload broke off), `internal` (the disk); nothing stays behind then.
 */
export async function receive(upload: Upload, deps: Deps, signal: AbortSignal): Promise<Staged> {
	if (!/\.jar$/i.test(upload.name))
		throw new AppError('invalid', 'Choose a mod: a file that ends in .jar.');
	await ensureDir(deps.dir);
	await sweepIncoming(deps.dir, deps.clock.now());
	const file = path.join(deps.dir, `${randomBytes(8).toString('hex')}.jar`);
	try {
		const limits = { maxBytes: deps.maxBytes ?? JAR_MAX_BYTES, what: 'A jar' };
		const { size, sha512 } = await writeIncoming(upload.bytes, file, limits, signal);
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
