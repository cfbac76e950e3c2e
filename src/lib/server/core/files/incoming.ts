import { createHash } from 'node:crypto';
import { open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../errors.ts';
import { onDisk } from './disk-errors.ts';
import { PRIVATE_FILE } from './files.ts';

type Limits = { maxBytes: number; /** As the person calls it: `A jar`. */ what: string };

/** What a killed process left: nothing waits that long for its file. */
const STALE_MS = 24 * 60 * 60_000;

/**
 * Writes what somebody sends to a new file, which is on disk when this resolves. `AppError` `too-large`, `malformed`
 * (it broke off), `busy` (we are closing), `internal` (the disk); the caller removes the file then.
 */
export async function writeIncoming(
	bytes: AsyncIterable<Uint8Array>,
	file: string,
	{ maxBytes, what }: Limits,
	signal: AbortSignal
) {
	const hash = createHash('sha512');
	let size = 0;
	const handle = await kept(() => open(file, 'wx', PRIVATE_FILE));
	try {
		for await (const chunk of bytes) {
			if (signal.aborted) throw new AppError('busy', 'Craftwarden is shutting down.');
			size += chunk.byteLength;
			if (size > maxBytes)
				throw new AppError('too-large', `${what} may have at most ${maxBytes >> 20} MB.`);
			hash.update(chunk);
			await kept(() => handle.writeFile(chunk));
		}
		await kept(() => handle.sync());
	} catch (cause) {
		if (cause instanceof AppError) throw cause;
		throw new AppError('malformed', 'The upload broke off. Try again.', { cause });
	} finally {
		await kept(() => handle.close());
	}
	return { size, sha512: hash.digest('hex') };
}

/** Distinguishes disk errors from the sender's. */
const kept = <T>(work: () => Promise<T>) => onDisk('The upload could not be saved', work);

/** Removes what nobody came back for. */
export async function sweepIncoming(dir: string, now: Date) {
	for (const name of await readdir(dir)) {
		const file = path.join(dir, name);
		const found = await stat(file).catch(() => null);
		if (found && now.getTime() - found.mtimeMs > STALE_MS)
			await rm(file, { recursive: true, force: true }).catch(() => {});
	}
}
