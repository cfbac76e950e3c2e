import { AppError } from '#core/errors';
import { run } from '#core/exec';

const LIMIT_MS = 10 * 60_000;

/** Resolves when everything written to this disk so far survives a power cut; Node has no call for that. */
export async function flushDisk(dir: string): Promise<void> {
	try {
		await run('sync', ['-f', '--', dir], { timeoutMs: LIMIT_MS });
	} catch {
		// An old `sync` knows no options and flushes all disks.
		await run('sync', [], { timeoutMs: LIMIT_MS }).catch((cause) => {
			throw new AppError('internal', 'The disk could not be told to keep what was written.', {
				cause
			});
		});
	}
}
