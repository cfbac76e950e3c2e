import { constants } from 'node:fs';
import { access, mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '#core/errors';
import { exists, syncDir } from '#core/files';

/**
 * Files of the server's folder that are exchanged: `put` come out of `new/` in the working folder, `take` go into
 * `old/`. Both are paths below the server's folder; what is put where something is, is taken as well.
 */
export type Exchange = { put: string[]; take: string[] };

const FILES_MAX = 50_000;
/** What keeps a second dashboard out. */
export const OWN_LOCK = '.craftwarden.lock';
/** In the server's folder, so that every move is a rename. */
const PREFIX = '.craftwarden-software-';

/** The working folder of one operation. */
export function workplace(serverDir: string, operation: string) {
	const root = path.join(serverDir, `${PREFIX}${operation}`);
	const [fresh, old] = [path.join(root, 'new'), path.join(root, 'old')];
	const own = (relative: string) => path.join(serverDir, relative);

	return {
		root,
		/** Where the new server is laid out. */
		fresh,
		download: path.join(root, 'download'),
		async begin() {
			for (const dir of [fresh, old, path.join(root, 'download')])
				await mkdir(dir, { recursive: true });
		},
		/** What the new files mean for the folder. A library that is there already stays. */
		async plan(take: string[]): Promise<Exchange> {
			const put: string[] = [];
			const taken = new Set(take);
			for (const relative of await filesBelow(fresh)) {
				const there = await exists(own(relative));
				if (there && relative.startsWith('libraries/') && !isTaken(relative, take)) continue;
				if (there && !isTaken(relative, take)) taken.add(relative);
				put.push(relative);
			}
			return { put, take: [...taken] };
		},
		/** Can be repeated after a crash partway through. */
		async touch({ put, take }: Exchange) {
			await move(take, { from: serverDir, to: old });
			await move(put, { from: fresh, to: serverDir });
			await syncDir(serverDir);
		},
		/** Undoes `touch` from wherever it was; can be repeated. */
		async back({ put, take }: Exchange) {
			for (const relative of put)
				if (!(await exists(path.join(fresh, relative))))
					await moveOne(own(relative), path.join(fresh, relative));
			await move(take, { from: old, to: serverDir });
			await syncDir(serverDir);
		},
		remove: () => rm(root, { recursive: true, force: true })
	};
}

const isTaken = (relative: string, take: string[]) =>
	take.some((one) => relative === one || relative.startsWith(`${one}/`));

async function move(names: string[], { from, to }: { from: string; to: string }) {
	for (const name of names) {
		// What has been moved already is not moved back by something new under its old name.
		if (await exists(path.join(to, name))) continue;
		await moveOne(path.join(from, name), path.join(to, name));
	}
}

async function moveOne(from: string, to: string) {
	if (!(await exists(from))) return;
	await mkdir(path.dirname(to), { recursive: true });
	await rename(from, to);
}

/** Plain files, as paths from there, sorted. */
async function filesBelow(dir: string): Promise<string[]> {
	const entries = await readdir(dir, { recursive: true, withFileTypes: true });
	if (entries.length > FILES_MAX) throw new AppError('upstream', 'The server has too many files.');
	return entries
		.filter((entry) => entry.isFile())
		.map((entry) => path.relative(dir, path.join(entry.parentPath, entry.name)))
		.sort();
}

/** Why no server can be put into this folder; null when one can. */
export async function occupied(serverDir: string): Promise<string | null> {
	const names = await readdir(serverDir).catch(() => null);
	if (!names) return 'The folder cannot be read.';
	const writable = await access(serverDir, constants.W_OK).then(
		() => true,
		() => false
	);
	if (!writable) return 'The folder cannot be written to by the user that the dashboard runs as.';
	const harmless = new Set([
		...['eula.txt', 'server.properties', 'logs', 'crash-reports', 'lost+found', OWN_LOCK]
	]);
	const other = names.find((name) => !harmless.has(name) && !name.startsWith(PREFIX));
	return other
		? `There is something in the folder already: ${other.slice(0, 80)}. A server is only created in an empty one.`
		: null;
}
