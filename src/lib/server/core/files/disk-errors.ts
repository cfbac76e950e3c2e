import { AppError, errno } from '../errors.ts';

const TROUBLE: Record<string, string> = {
	ENOSPC: 'the disk is full',
	EDQUOT: 'the disk quota is used up',
	EFBIG: 'the file may not grow any further',
	EROFS: 'the disk is read-only',
	EIO: 'the disk reported an error',
	EACCES: 'permission was denied',
	EPERM: 'permission was denied',
	EMFILE: 'too many files are open',
	ENFILE: 'too many files are open',
	ENOENT: 'the folder is gone',
	ENOTDIR: 'something else is in the place of the folder'
};

/** Why reading or writing failed, as the end of a sentence. */
export const diskTrouble = (error: unknown) => TROUBLE[errno(error) ?? ''] ?? 'the disk failed';

/** The error to throw instead: `AppError('internal')` with `<what failed>: the disk is full.` if the disk refused. */
export const diskFailure = (failed: string, cause: unknown): unknown =>
	cause instanceof AppError || errno(cause) === null
		? cause
		: new AppError('internal', `${failed}: ${diskTrouble(cause)}.`, { cause });

/** Runs `work`, and words its disk errors as `diskFailure` does. */
export async function onDisk<T>(failed: string, work: () => Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (cause) {
		throw diskFailure(failed, cause);
	}
}
