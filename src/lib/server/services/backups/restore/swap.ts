import { lstat, mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError, errno } from '#core/errors';
import { diskTrouble, PRIVATE_DIR, syncDir } from '#core/files';

/** One thing to swap: `staged` is relative to `new`, `live` relative to the server's folder. */
export type Unit = {
	staged: string;
	live: string;
	/** Whether something was there before: recorded first, because it cannot be determined afterwards. */
	was: boolean;
	/** The backup does not contain it: the current one is moved aside. */
	absent?: boolean;
};

/**
 * Swaps what is in the server's folder with what lies beside it, using only renames. The location of each item shows
 * how far the swap got, so both directions may be repeated after a crash at any point.
 */
export type Swap = {
	forward(units: Unit[]): Promise<void>;
	/** Puts everything back as it was; also after half of `forward`, and after half of itself. */
	back(units: Unit[]): Promise<void>;
};

/** `staging` is on the same file system as the server's folder; `new` and `old` are in it. */
export function createSwap(serverDir: string, staging: string): Swap {
	const place = (unit: Unit) => ({
		fresh: path.join(staging, 'new', unit.staged),
		live: path.join(serverDir, unit.live),
		old: path.join(staging, 'old', unit.live)
	});
	const move = async (from: string, to: string) => {
		try {
			await mkdir(path.dirname(to), { recursive: true, mode: PRIVATE_DIR });
			await rename(from, to);
			await syncDir(path.dirname(to));
			if (path.dirname(from) !== path.dirname(to)) await syncDir(path.dirname(from));
		} catch (cause) {
			const words = WORDS[errno(cause) ?? ''] ?? diskTrouble(cause);
			throw new AppError(
				'internal',
				`${path.relative(serverDir, from)} could not be moved: ${words}.`,
				{ cause }
			);
		}
	};

	return {
		async forward(units) {
			for (const unit of units) {
				const { fresh, live, old } = place(unit);
				if (!unit.absent && !(await there(fresh))) continue; // already in place
				if (await there(live)) {
					if (await there(old))
						throw new AppError(
							'conflict',
							`${unit.live} was created again by somebody else in the meantime.`
						);
					await move(live, old);
				}
				if (!unit.absent) await move(fresh, live);
			}
		},
		async back(units) {
			for (const unit of units.toReversed()) {
				const { fresh, live, old } = place(unit);
				// If the old one is not aside, the live one never left its place, or is back in it.
				const swapped = unit.was ? await there(old) : await there(staging);
				if (!swapped) continue;
				if (!unit.absent && (await there(live)) && !(await there(fresh))) await move(live, fresh);
				if (unit.was && !(await there(live))) await move(old, live);
			}
		}
	};
}

const WORDS: Record<string, string> = {
	EXDEV: 'it lies on another disk than the server folder',
	EBUSY: 'it is a disk of its own (a mount point)'
};

export const there = (file: string) =>
	lstat(file).then(
		() => true,
		(error) => {
			if (errno(error) === 'ENOENT' || errno(error) === 'ENOTDIR') return false;
			throw error;
		}
	);

/** Removes it and everything in it, even where the permissions of its folders would prevent it. */
export const removeTree = (dir: string) => rm(dir, { recursive: true, force: true, maxRetries: 3 });
