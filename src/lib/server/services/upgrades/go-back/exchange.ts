import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { isThere, type Exchange } from '#core/files';
import { SETTINGS } from '../exchange.ts';
import type { Kept } from '../original.ts';
import type { Deps, Workplace } from '../types.ts';

type Server = Pick<Deps, 'serverDir'>;

/** Exchanges the server's folder with what lies aside, by the renames of the upgrade. Both can be repeated. */
export function swapsOf({ holds }: Pick<Kept, 'holds'>, place: Workplace, server: Server) {
	const isOld = holds === 'old';
	return {
		swap: isOld ? place.back : place.touch,
		async undo(exchange: Exchange) {
			await removeRemade(exchange, { holds, place, server });
			await (isOld ? place.touch : place.back)(exchange);
		}
	};
}

/**
 * The list of the upgrade, as far as it is still true: mods have been changed since, by hand or from here, and the game
 * may have made more worlds. What stands where something comes goes with what is put aside.
 */
export async function exchangeNow(
	{ exchange, holds, known }: Kept,
	place: Workplace,
	{ serverDir }: Server
): Promise<Exchange> {
	const [from, comes, goes] =
		holds === 'old'
			? [place.old, exchange.take, exchange.put]
			: [place.fresh, exchange.put, exchange.take];
	const coming = topmost(await among(from, comes));
	const made = await madeSince(serverDir, known);
	const going = topmost(await among(serverDir, [...new Set([...goes, ...coming, ...made])]));
	return holds === 'old' ? { put: going, take: coming } : { put: coming, take: going };
}

/**
 * Worlds and settings of the game itself, which another game would take for its own. Whatever else has been put into the
 * folder since stays.
 */
async function madeSince(serverDir: string, known: string[]): Promise<string[]> {
	const made: string[] = [];
	for (const entry of await readdir(serverDir, { withFileTypes: true })) {
		const { name } = entry;
		if (known.includes(name) || name.startsWith('.')) continue;
		const isWorld = entry.isDirectory() && (await isThere(path.join(serverDir, name, 'level.dat')));
		if (isWorld || SETTINGS.includes(name)) made.push(name);
	}
	return made;
}

/** The game that was started meanwhile may have made a file again that had been put aside: nobody needs its own. */
async function removeRemade(
	{ put, take }: Exchange,
	{ holds, place, server }: { holds: Kept['holds']; place: Workplace; server: Server }
) {
	const [aside, went, came] = holds === 'old' ? [place.fresh, put, take] : [place.old, take, put];
	const covers = (name: string, other: string) => name === other || name.startsWith(`${other}/`);
	for (const name of went) {
		if (came.some((other) => covers(name, other) || covers(other, name))) continue;
		const live = path.join(server.serverDir, name);
		if ((await isThere(path.join(aside, name))) && (await isThere(live)))
			await rm(live, { recursive: true, force: true });
	}
}

async function among(dir: string, names: string[]): Promise<string[]> {
	const found: string[] = [];
	for (const name of names) if (await isThere(path.join(dir, name))) found.push(name);
	return found;
}

/** What lies in another one of them moves with it. */
const topmost = (names: string[]) =>
	names.filter((name) => !names.some((other) => name.startsWith(`${other}/`)));
