import { constants } from 'node:fs';
import { lchown, open, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { AppError, errno } from '#core/errors';
import { diskTrouble, sweepTemps, writeAtomic } from '#core/files';

const NEW_FILE = 0o644;
const ROOT = 0;

type Before = { bytes: Buffer; mode: number; uid: number; gid: number } | null;

/**
 * Replaces a file in the folder of a stopped server, completely or not at all. `change` gets the bytes as they are
 * (none when the file is missing) and returns the new ones, or null to leave the file alone. Returns true when it was
 * written. `AppError('upstream')`, nothing changed: it is a link or not a regular file, is too large or not ours to
 * write, or the disk fails.
 */
export async function editFile(
	file: string,
	maxBytes: number,
	change: (bytes: Buffer) => Uint8Array | null
): Promise<boolean> {
	const before = await readForEdit(file, maxBytes);
	const next = change(before?.bytes ?? Buffer.alloc(0));
	if (!next) return false;
	refuseStrangers(file, before);
	let replaced = false;
	try {
		await sweepTemps(path.dirname(file), new Date());
		await writeAtomic(file, next, before?.mode ?? NEW_FILE, {
			onReplaced: () => (replaced = true)
		});
		if (before && process.geteuid?.() === ROOT) await lchown(file, before.uid, before.gid);
	} catch (cause) {
		// Whoever is told that nothing was changed must not find it changed.
		if (replaced) await putBack(file, before).catch(() => {});
		throw notWritten(file, diskTrouble(cause), cause);
	}
	return true;
}

const putBack = (file: string, before: Before) =>
	before ? writeAtomic(file, before.bytes, before.mode) : rm(file, { force: true });

/** Opened for writing, so that a file that may not be written is found out before anything is done. */
async function readForEdit(file: string, maxBytes: number): Promise<Before> {
	const flags = constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK;
	let handle: FileHandle;
	try {
		handle = await open(file, flags);
	} catch (cause) {
		const code = errno(cause) ?? '';
		if (code === 'ENOENT') return null;
		const special = ['ELOOP', 'EISDIR', 'ENXIO'].includes(code);
		throw special ? notPlain(file) : notWritten(file, diskTrouble(cause), cause);
	}
	try {
		const stats = await handle.stat();
		if (!stats.isFile()) throw notPlain(file);
		if (stats.size > maxBytes)
			throw notWritten(file, 'it is far larger than the game writes it. Look at it first');
		const { uid, gid, mode } = stats;
		return { bytes: await handle.readFile(), mode: mode & 0o777, uid, gid };
	} finally {
		await handle.close();
	}
}

/** A replaced file belongs to whoever replaced it: the game must still be able to write it. */
function refuseStrangers(file: string, before: Before) {
	const we = process.geteuid?.();
	if (!before || we === undefined || we === ROOT || before.uid === we) return;
	throw notWritten(
		file,
		'it belongs to another user. Run the dashboard as the user that runs the game'
	);
}

const notPlain = (file: string) =>
	new AppError(
		'upstream',
		`${path.basename(file)} is a link or not a plain file, so it is never written. Put a plain file in its place. Nothing was changed.`
	);

const notWritten = (file: string, why: string, cause?: unknown) =>
	new AppError(
		'upstream',
		`${path.basename(file)} in the server’s folder cannot be written: ${why}. Nothing was changed; try again when that is repaired.`,
		{ cause }
	);
