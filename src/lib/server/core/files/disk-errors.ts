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

const MAKE_ROOM = 'Make room on that disk, then try again.';
const NO_ACCESS = 'Give the user that Craftwarden runs as access to it, then try again.';
const ADVICE: Record<string, string> = {
	ENOSPC: MAKE_ROOM,
	EDQUOT: MAKE_ROOM,
	EROFS:
		'Make that disk writable again, then try again: one that fails may turn read-only by itself.',
	EIO: 'Look after that disk, which may be failing, before you try again.',
	EACCES: NO_ACCESS,
	EPERM: NO_ACCESS,
	EMFILE: 'Try again; if that does not help, restart Craftwarden.',
	ENFILE: 'Try again; if that does not help, restart Craftwarden.',
	ENOTDIR: 'Put the folder back in its place, then try again.'
};

/** What to do about a refusal of the disk, found in the error or its causes; null for anything else. */
export function diskAdvice(error: unknown): string | null {
	if (!(error instanceof Error)) return null;
	return ADVICE[errno(error) ?? ''] ?? diskAdvice(error.cause);
}

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
