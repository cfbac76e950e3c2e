import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '#core/clock';
import { exists, writeAtomic } from '#core/files';
import { retryOnDiskError, type Retry } from '#core/retry-on-disk-error';
import type { StepContext } from '#operations';
import { removeTree } from './swap.ts';

/** The folder of one restore, on the disk of the worlds: `new` is what is coming in, `old` what was there before. */
const STAGING = '.craftwarden-restore-';
const KEPT = 'kept.json';

type Deps = {
	serverDir: string;
	clock: Clock;
	log: { info(message: string, facts?: object): void };
	retry?: Retry;
};

/** What was there before a restore: kept until the server has started well on the restored files. */
export function createRollbackCopies(deps: Deps) {
	const { serverDir, clock, log } = deps;
	const stagingOf = ({ id }: { id: string }) => path.join(serverDir, `${STAGING}${id}`);

	async function keep(staging: string) {
		await removeTree(path.join(staging, 'new'));
		if (!(await exists(path.join(staging, 'old')))) {
			await removeTree(staging);
			return 'Nothing was there before.';
		}
		const note = { at: clock.now().toISOString() };
		await writeAtomic(path.join(staging, KEPT), `${JSON.stringify(note)}\n`);
		return `What was there before is kept in ${path.basename(staging)}/old until the next good start of the server.`;
	}

	async function all() {
		const found: { dir: string; at: string }[] = [];
		for (const name of await readdir(serverDir)) {
			if (!name.startsWith(STAGING)) continue;
			const dir = path.join(serverDir, name);
			const at = await timeIn(path.join(dir, KEPT));
			if (at) found.push({ dir, at });
		}
		return found;
	}

	return {
		stagingOf,
		/** What happened to it, in a sentence. The restored files are good by then: a full disk is waited out. */
		async keep(ctx: StepContext): Promise<string> {
			let words = '';
			await retryOnDiskError(
				ctx,
				deps,
				'What was there before cannot be kept cleanly',
				async () => {
					words = await keep(stagingOf(ctx));
				}
			);
			return words;
		},
		/** Where that of an operation still lies, relative to the server's folder; null when it is gone. */
		async replaced(id: string): Promise<string | null> {
			const old = path.join(stagingOf({ id }), 'old');
			return (await exists(old)) ? path.relative(serverDir, old) : null;
		},
		/** The server has started well: removes what was kept from before. */
		async started(readyAt: string) {
			for (const { dir, at } of await all()) {
				if (readyAt <= at) continue;
				await removeTree(dir);
				log.info('The worlds from before the last restore were deleted', {
					dir: path.basename(dir)
				});
			}
		}
	};
}
export type RollbackCopies = ReturnType<typeof createRollbackCopies>;

/**
 * Not the file's own time, which may be some milliseconds older than a start before it. Null when it is not one of
 * ours.
 */
async function timeIn(file: string): Promise<string | null> {
	try {
		const { at } = JSON.parse(await readFile(file, 'utf8')) as { at?: unknown };
		return typeof at === 'string' ? at : null;
	} catch {
		return null;
	}
}
