import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, lstat, open, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError, errno } from '#core/errors';
import { diskTrouble, ensureDir, openRegular, readTextIfExists, writeAtomic } from '#core/files';

/** Marks the folder, so that the empty mount point of a missing disk is noticed. */
const MARKER = '.craftwarden-backups';

const unfit = (why: string, cause?: unknown) =>
	new AppError('conflict', `No backup can be stored: ${why}`, {
		cause,
		code: 'backup-folder'
	});

/** Whether archives can be put there at all; `AppError('conflict')` says why not. */
export async function checkFolder(dir: string, sources: string[]) {
	await ensureDir(dir).catch((cause) => {
		if (errno(cause) === 'EEXIST') return; // said more exactly below
		throw unfit(`the folder ${dir} cannot be created, ${diskTrouble(cause)}.`, cause);
	});
	const stats = await lstat(dir);
	if (stats.isSymbolicLink())
		throw unfit(`${dir} is a symbolic link. Set BACKUP_DIR to the folder itself.`);
	if (!stats.isDirectory())
		throw unfit(
			`${dir} is not a folder but a file. Move it away, or set BACKUP_DIR to another folder.`
		);
	const real = await realpath(dir);
	for (const source of sources) {
		const inside = await realpath(source).catch(() => source);
		if (`${real}/`.startsWith(`${inside}/`))
			throw unfit(
				`${dir} lies in ${path.basename(source)}, which is backed up itself. Set BACKUP_DIR to a folder outside of it.`
			);
	}
	await access(dir, constants.R_OK | constants.W_OK | constants.X_OK).catch((cause) => {
		throw unfit(`the folder ${dir} cannot be written, ${diskTrouble(cause)}.`, cause);
	});
}

/** The first use marks the folder; from then on the mark must be there. */
export async function checkMarker(dir: string, memoryFile: string) {
	const marker = path.join(dir, MARKER);
	const remembered = await readTextIfExists(memoryFile).then(rememberedDir, () => null);
	const marked = await openRegular(marker);
	await marked?.close();
	if (!marked && remembered === dir)
		throw unfit(
			`the folder ${dir} has lost its mark, as if its disk were not mounted. Mount the disk; if it is a new one, create an empty file ${MARKER} in the folder.`
		);
	try {
		if (!marked) await writeAtomic(marker, `${randomBytes(8).toString('hex')}\n`);
		else await probe(dir);
		if (remembered !== dir) await writeAtomic(memoryFile, `${JSON.stringify({ dir })}\n`);
	} catch (cause) {
		throw unfit(`the folder ${dir} cannot be written, ${diskTrouble(cause)}.`, cause);
	}
}

function rememberedDir(text: string | null): string | null {
	try {
		return text === null ? null : ((JSON.parse(text) as { dir?: string }).dir ?? null);
	} catch {
		return null;
	}
}

/** Permissions may allow what a read-only disk does not. Leftovers of a killed process are swept as temp files. */
async function probe(dir: string) {
	const file = path.join(dir, `.probe.${randomBytes(6).toString('hex')}.tmp`);
	const handle = await open(file, 'wx', 0o600);
	await handle.close();
	await rm(file, { force: true });
}
