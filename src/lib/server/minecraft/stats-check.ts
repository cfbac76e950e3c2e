import { lstatSync, type BigIntStats } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { errno } from '../core/errors.ts';
import { diskTrouble } from '../core/files.ts';
import { identityOf, sameIdentity, type FileKind, type Identity } from './stats-file.ts';
import type { Known } from './stats-known.ts';

/** A file that is not as it was. */
export type Checked = { uuid: string; file: string; kind: FileKind; identity: Identity };
type Check = {
	worldDir: string;
	kind: FileKind;
	/** What is there gets the number of this scan. */
	known: ReadonlyMap<string, Known>;
	scan: number;
};

const NAME = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.json$/;
const UUID_LENGTH = 36;
/** Looking at a file takes some 5 µs: the event loop is given back after a millisecond or two. */
const SLICE = 256;

/** Since 26.1, and before. */
const folders = (worldDir: string, kind: FileKind) => [
	path.join(worldDir, 'players', kind),
	path.join(worldDir, kind)
];

/**
 * Which of all players' files have to be read: new ones, other ones than before, and those that were written to just
 * before they were read. Names that are no player's are passed over. `trouble`: which folder cannot be read, and why.
 */
export async function checkAll(check: Check) {
	const changed: Checked[] = [];
	let trouble: string | null = null;
	const listed: { dir: string; names: string[] }[] = [];
	for (const dir of folders(check.worldDir, check.kind)) {
		const names = await readdir(dir).catch((error) => {
			if (errno(error) === null) throw error;
			if (errno(error) !== 'ENOENT' && errno(error) !== 'ENOTDIR')
				trouble = `the folder ${check.kind} (${diskTrouble(error)})`;
			return [];
		});
		if (names.length > 0) listed.push({ dir, names });
	}
	const dirs = listed.map(({ dir }) => dir);
	const twice = listed.length > 1 ? new Set<string>() : null;
	for (const { names } of listed)
		for (const [i, name] of names.entries()) {
			if (i % SLICE === SLICE - 1) await turn();
			if (twice?.has(name) || !NAME.test(name)) continue;
			twice?.add(name);
			const one = checkOne(dirs, name.slice(0, UUID_LENGTH), check);
			if (one) changed.push(one);
		}
	return { changed, trouble };
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
	const same = before?.identity && !before.fresh && sameIdentity(before.identity, found.identity);
	return same ? null : { uuid, kind, ...found };
}

/** One player's file may have been left behind where the game no longer looks. */
function newest(dirs: string[], uuid: string) {
	let best: { file: string; identity: Identity } | null = null;
	for (const dir of dirs) {
		const file = `${dir}/${uuid}.json`;
		const stats = look(file);
		if (!stats?.isFile()) continue;
		const identity = identityOf(stats);
		if (!best || identity.mtimeNs > best.identity.mtimeNs) best = { file, identity };
	}
	return best;
}

function look(file: string): BigIntStats | undefined {
	try {
		return lstatSync(file, { bigint: true, throwIfNoEntry: false });
	} catch (error) {
		if (errno(error) === null) throw error;
		return undefined;
	}
}
