import { lstatSync, statSync, type Stats } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { errno } from '#core/errors';
import { diskTrouble } from '#core/files';
import { identityOf, sameIdentity, type Checked, type FileKind } from './file.ts';
import type { Known } from './known.ts';

type Check = {
	worldDir: string;
	kind: FileKind;
	/** Files that are found get the number of this scan. */
	known: ReadonlyMap<string, Known>;
	scan: number;
};
/** The players in a folder, as of its stamp; without a stamp it may have changed since. */
type Listing = { stamp: string | null; uuids: string[] };
/** By folder, for the next scan. */
export type Listings = Map<string, Listing>;

const NAME = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.json$/;
const UUID_LENGTH = 36;
/** Checking a file takes some 5 µs: the event loop gets its turn after a millisecond or two. */
const SLICE = 256;
/**
 * From this many new files on they are not checked: whoever reads them sees at once whether they are files, and how
 * large.
 */
export const UNSEEN_MAX = 64;
/** A folder that changed this recently may change again without a new time. */
const FRESH_MS = 2_000;

/** Since 26.1, and before. */
const folders = (worldDir: string, kind: FileKind) => [
	path.join(worldDir, 'players', kind),
	path.join(worldDir, kind)
];

/**
 * Which of all players' files must be read: new ones, replaced ones, and those written to just before they were read.
 * Names that are not a player's are skipped. `trouble`: which folder cannot be read, and why.
 */
export async function checkAll(check: Check, listings: Listings) {
	const changed: Checked[] = [];
	let trouble: string | null = null;
	const listed: { dir: string; uuids: string[] }[] = [];
	for (const dir of folders(check.worldDir, check.kind)) {
		const uuids = await list(dir, listings).catch((error) => {
			if (errno(error) === null) throw error;
			if (errno(error) !== 'ENOENT' && errno(error) !== 'ENOTDIR')
				trouble = `the folder ${check.kind} (${diskTrouble(error)})`;
			return [];
		});
		if (uuids.length > 0) listed.push({ dir, uuids });
	}
	const dirs = listed.map(({ dir }) => dir);
	const uuids = listed.length > 1 ? new Set(listed.flatMap((one) => one.uuids)) : listed[0]?.uuids;
	const unseen: string[] = [];
	let count = 0;
	for (const uuid of uuids ?? []) {
		if (++count % SLICE === 0) await turn();
		const isNew = dirs.length === 1 && !check.known.has(uuid);
		if (isNew) unseen.push(uuid);
		const one = isNew ? null : checkOne(dirs, uuid, check);
		if (one) changed.push(one);
	}
	const { kind } = check;
	for (const uuid of unseen) {
		const many = unseen.length > UNSEEN_MAX;
		const file = { uuid, kind, file: `${dirs[0]}/${uuid}.json`, identity: null };
		const one = many ? file : checkOne(dirs, uuid, check);
		if (one) changed.push(one);
	}
	return { changed, trouble };
}

/** The names of a folder are read again only when a file was added or removed. */
async function list(dir: string, listings: Listings): Promise<string[]> {
	const { ino, ctimeMs } = statSync(dir);
	const stamp = Math.abs(Date.now() - ctimeMs) < FRESH_MS ? null : `${ino} ${ctimeMs}`;
	const before = listings.get(dir);
	if (before && stamp !== null && before.stamp === stamp) return before.uuids;
	const names = await readdir(dir);
	const uuids = names.flatMap((name) => (NAME.test(name) ? name.slice(0, UUID_LENGTH) : []));
	listings.set(dir, { stamp, uuids });
	return uuids;
}

/** The same for some players. */
export function checkSome(uuids: Iterable<string>, check: Check): Checked[] {
	const dirs = folders(check.worldDir, check.kind);
	return [...uuids].map((uuid) => checkOne(dirs, uuid, check)).filter((one) => one !== null);
}

function checkOne(dirs: string[], uuid: string, { kind, known, scan }: Check): Checked | null {
	const found = newest(dirs, uuid);
	if (!found) return null;
	const before = known.get(uuid);
	if (before) before.scan = scan;
	const same = before?.identity && !before.fresh && sameIdentity(before.identity, found.stats);
	return same ? null : { uuid, kind, file: found.file, identity: identityOf(found.stats) };
}

/** A player's file may have been left behind where the game no longer looks. */
function newest(dirs: string[], uuid: string) {
	let best: { file: string; stats: Stats } | null = null;
	for (const dir of dirs) {
		const file = `${dir}/${uuid}.json`;
		const stats = look(file);
		if (!stats?.isFile()) continue;
		if (!best || stats.mtimeMs > best.stats.mtimeMs) best = { file, stats };
	}
	return best;
}

function look(file: string): Stats | undefined {
	try {
		return lstatSync(file, { throwIfNoEntry: false });
	} catch (error) {
		if (errno(error) === null) throw error;
		return undefined;
	}
}
