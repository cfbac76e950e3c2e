import { lstat, mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError, errno } from '../errors.ts';
import { syncDir } from './files.ts';

/**
 * What of a folder is exchanged, as paths below it: `put` come out of `new/` in the staging folder, `take` go into its
 * `old/`. What is put where something is, is taken as well.
 */
export type Exchange = { put: string[]; take: string[] };

/**
 * Exchanges files and folders by renames alone, so the staging folder lies on the same disk. Where each of them lies
 * shows how far it got: both directions may be repeated after a crash at any point.
 */
export function createExchange(live: string, staging: string) {
	const [fresh, old] = [path.join(staging, 'new'), path.join(staging, 'old')];

	return {
		staging,
		fresh,
		old,
		async begin() {
			for (const dir of [fresh, old]) await mkdir(dir, { recursive: true });
		},
		/** `AppError('conflict')` when something stands where nothing should: then some of it may be in place. */
		async touch({ put, take }: Exchange) {
			await move(take, { from: live, to: old });
			await move(put, { from: fresh, to: live });
			for (const relative of put)
				if (await isThere(path.join(fresh, relative)))
					throw new AppError(
						'conflict',
						`${relative} was created again by somebody else in the meantime.`
					);
			await settle({ put, take });
		},
		/**
		 * Undoes `touch` from wherever it was. `AppError('conflict')` when something stands where the old one belongs:
		 * what is in `old/` must then not be removed.
		 */
		async back({ put, take }: Exchange) {
			for (const relative of put) {
				const replaced = take.find((one) => relative === one || relative.startsWith(`${one}/`));
				if (await isThere(path.join(fresh, relative))) continue;
				// With the old one not aside, what is there never left its place, or is back in it.
				if (replaced !== undefined && !(await isThere(path.join(old, replaced)))) continue;
				await moveOne(path.join(live, relative), path.join(fresh, relative));
			}
			await move(take, { from: old, to: live });
			for (const relative of take)
				if (await isThere(path.join(old, relative)))
					throw new AppError(
						'conflict',
						`${relative} was created again by somebody else in the meantime. The old one lies in ${path.relative(live, old)}.`
					);
			await settle({ put, take });
		},
		remove: () => rm(staging, { recursive: true, force: true, maxRetries: 3 })
	};

	/** The renames themselves survive a power cut. */
	async function settle({ put, take }: Exchange) {
		const names = [...new Set([...put, ...take].map((relative) => path.dirname(relative)))];
		for (const dir of [live, fresh, old])
			for (const name of names)
				if (await isThere(path.join(dir, name))) await syncDir(path.join(dir, name));
	}
}

async function move(names: string[], { from, to }: { from: string; to: string }) {
	for (const name of names) {
		// What has been moved already is not moved back by something new under its old name.
		if (await isThere(path.join(to, name))) continue;
		await moveOne(path.join(from, name), path.join(to, name));
	}
}

async function moveOne(from: string, to: string) {
	if (!(await isThere(from))) return;
	await mkdir(path.dirname(to), { recursive: true });
	await rename(from, to);
}

/** A disk that refuses to say is no proof that it is gone. */
export const isThere = (file: string) =>
	lstat(file).then(
		() => true,
		(error) => {
			if (errno(error) === 'ENOENT' || errno(error) === 'ENOTDIR') return false;
			throw error;
		}
	);
