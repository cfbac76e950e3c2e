import { listed } from '#schemas/plain/words/listed';
import { AppError, errno } from '#core/errors';
import type { Contents } from './content.ts';
import type { Entry, FileEntry } from './manifest.ts';
import { isBelow, parentOf, placeOf, ROOTS, shown, type Name } from './names.ts';
import { eachOf, naming, readSteady } from './read.ts';
import type { Found, Tree } from './tree.ts';

const HASH_LANES = 2;
const CHECK_LANES = 2;
const NAMED = 3;

type Dir = Extract<Entry, { kind: 'dir' }>;
export type Fill = FileEntry | Extract<Entry, { kind: 'link' }>;

/** What must be done to make the covered roots match the snapshot. */
export type Plan = {
	/** What is in the way or superfluous: moved away whole. */
	clear: Name[];
	/** Folders that are missing, parents first. */
	dirs: Dir[];
	fill: Fill[];
	/** Entries that may stay but have different permissions. */
	modes: { name: Name; from: number; to: number }[];
	/** Roots that did not exist, removed once they are empty. */
	without: Name[];
};

/**
 * Compares by content, whatever the times say. `AppError('conflict')` when something can neither stay nor be removed.
 */
export async function planOf(serverDir: string, wanted: Entry[], { entries: live }: Tree) {
	const guarded = guardedNames(wanted, live);
	const isGuarded = (name: Name) => guarded.some((one) => one === name || isBelow(name, one));
	const holdsGuarded = (name: Name) => guarded.some((one) => isBelow(one, name));
	const plan: Plan = { clear: [], dirs: [], fill: [], modes: [], without: [] };
	const cleared = new Set<Name>();
	const clear = (name: Name) => {
		if (holdsGuarded(name)) throw inTheWay(name);
		cleared.add(name);
	};

	const same = await sameContent(serverDir, wanted, live);
	for (const entry of wanted) {
		const there = live.get(entry.name);
		if (entry.kind === 'left' || isGuarded(entry.name)) continue;
		if (matches(entry, there, same)) {
			const [from, to] = [modeOf(there!), modeOf(entry)];
			if (from !== null && to !== null && from !== to)
				plan.modes.push({ name: entry.name, from, to });
			continue;
		}
		if (there) clear(entry.name);
		if (entry.kind === 'dir') plan.dirs.push(entry);
		else plan.fill.push(entry);
	}
	const names = new Set(wanted.map(({ name }) => name));
	for (const name of live.keys()) {
		if (names.has(name) || isGuarded(name) || holdsGuarded(name)) continue;
		if (ROOTS.includes(name) && live.get(name)!.kind === 'dir') plan.without.push(name);
		else clear(name);
	}
	// When a folder is removed, so is its content.
	plan.clear = [...cleared].filter((name) => !hasAncestor(name, cleared));
	for (const name of [...cleared, ...plan.fill.map((one) => one.name)])
		if (ROOTS.includes(name)) throw rootChanged(name);
	return plan;
}

/** Left out of the snapshot, then or now: it stays as it is. */
function guardedNames(wanted: Entry[], live: Tree['entries']): Name[] {
	const then = wanted.filter(({ kind, name }) => kind === 'left' && live.has(name));
	const now = [...live.values()].filter((one) => one.kind === 'left' && one.apart);
	return [...new Set([...then, ...now].map(({ name }) => name))];
}

/** Names whose file holds exactly what the snapshot says. */
async function sameContent(serverDir: string, wanted: Entry[], live: Tree['entries']) {
	const same = new Set<Name>();
	const candidates = wanted.filter((one) => {
		const there = live.get(one.name);
		return one.kind === 'file' && there?.kind === 'file' && there.size === one.size;
	}) as FileEntry[];
	await eachOf(candidates, HASH_LANES, async ({ name, hash }) => {
		// One that cannot be read can still be moved away.
		const read = await readSteady(placeOf(serverDir, name), null).catch(ifOfTheDisk);
		if (read?.state === 'good' && read.hash === hash) same.add(name);
	});
	return same;
}

function ifOfTheDisk(error: unknown): null {
	if (errno(error) === null) throw error;
	return null;
}

function matches(entry: Entry, there: Found | undefined, same: ReadonlySet<Name>): boolean {
	if (there?.kind !== entry.kind) return false;
	if (entry.kind === 'file') return same.has(entry.name);
	return entry.kind !== 'link' || (there.kind === 'link' && there.target === entry.target);
}

const modeOf = (one: Entry | Found) => ('mode' in one ? one.mode : null);

function hasAncestor(name: Name, names: ReadonlySet<Name>): boolean {
	for (let up = parentOf(name); up !== null; up = parentOf(up)) if (names.has(up)) return true;
	return false;
}

/** `AppError('conflict')` names what is missing or damaged in the store. */
export async function insistOnContents(contents: Contents, entries: FileEntry[]) {
	const problem = await problemOf(contents, entries);
	if (!problem) return;
	throw new AppError('conflict', `${problem} Nothing was changed.`, { code: 'snapshot-damaged' });
}

/** A sentence about stored files that are not as they should be; null when all are good. */
export async function problemOf(contents: Contents, entries: FileEntry[]): Promise<string | null> {
	const byHash = new Map(entries.map((entry) => [entry.hash, entry]));
	const bad: string[] = [];
	await eachOf([...byHash.values()], CHECK_LANES, async (entry) => {
		const condition = await naming(entry.name, () => contents.check(entry));
		if (condition !== 'good') bad.push(`${shown(entry.name)} (${condition})`);
	});
	if (bad.length === 0) return null;
	return `Stored copies of this snapshot are not whole: ${listed(bad.sort(), NAMED)}. It cannot be restored.`;
}

const inTheWay = (name: Name) =>
	new AppError(
		'conflict',
		`${shown(name)} cannot be restored: there is something in its place that is not ours to move. Nothing was changed.`
	);
const rootChanged = (name: Name) =>
	new AppError(
		'conflict',
		`${shown(name)} is not the kind of thing it was in the snapshot: a folder, a link or a file. Put the right one in its place. Nothing was changed.`
	);
