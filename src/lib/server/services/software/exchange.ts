import { constants } from 'node:fs';
import { access, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '#core/errors';
import { createExchange, exists, type Exchange } from '#core/files';

const FILES_MAX = 50_000;
/** The lock that keeps a second dashboard out. */
export const OWN_LOCK = '.craftwarden.lock';
/** In the server's folder, so that every move is a rename. */
export const PREFIX = '.craftwarden-software-';

export type Workplace = ReturnType<typeof workplace>;

/** The working folder of one operation: `new/` is where the new server is laid out. */
export function workplace(serverDir: string, operation: string, prefix = PREFIX) {
	const root = path.join(serverDir, `${prefix}${operation}`);
	const exchange = createExchange(serverDir, root);
	const { fresh } = exchange;
	const download = path.join(root, 'download');

	return {
		...exchange,
		root,
		download,
		async begin() {
			await exchange.begin();
			await mkdir(download, { recursive: true });
		},
		/** Works out what the new files change in the folder. An existing library stays. */
		async plan(take: string[]): Promise<Exchange> {
			const put: string[] = [];
			const taken = new Set(take);
			for (const relative of await filesBelow(fresh)) {
				const there = await exists(path.join(serverDir, relative));
				if (there && relative.startsWith('libraries/') && !isTaken(relative, take)) continue;
				if (there && !isTaken(relative, take)) taken.add(relative);
				put.push(relative);
			}
			return { put, take: [...taken] };
		}
	};
}

/** What cannot be removed now does no harm, and is removed later. */
export const discard = ({ remove }: Pick<Workplace, 'remove'>) => remove().catch(() => {});

const isTaken = (relative: string, take: string[]) =>
	take.some((one) => relative === one || relative.startsWith(`${one}/`));

/** Plain files, as relative paths, sorted. */
async function filesBelow(dir: string): Promise<string[]> {
	const entries = await readdir(dir, { recursive: true, withFileTypes: true });
	if (entries.length > FILES_MAX) throw new AppError('upstream', 'The server has too many files.');
	return entries
		.filter((entry) => entry.isFile())
		.map((entry) => path.relative(dir, path.join(entry.parentPath, entry.name)))
		.sort();
}

/** Why no server can be created in this folder; null when one can. */
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
		? `There is something in the folder already: ${other.slice(0, 80)}. A server is only created in an empty one: give SERVER_DIR another folder, and mods and settings can be imported from this one.`
		: null;
}
