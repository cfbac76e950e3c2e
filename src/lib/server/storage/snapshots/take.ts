import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import { insistOnRoom, type Contents } from './content.ts';
import type { Entry, FileEntry } from './manifest.ts';
import { placeOf, shown, type Name } from './names.ts';
import { eachOf, fingerprint, naming, readSteady, type Read } from './read.ts';
import { walk, type FoundFile, type FoundOther } from './tree.ts';

const LANES = 8;
const TRIES = 4;
const RETRY_MS = 40;

type Deps = { serverDir: string; dir: string; contents: Contents; clock: Clock };
export type Taken = {
	entries: Entry[];
	/** Bytes of content that was not stored before. */
	newBytes: number;
	warnings: string[];
};
/** A file with its content's hash, or why it has none; null when it disappeared. */
type Outcome = FileEntry | Left | null;
type Left = Extract<Entry, { kind: 'left' }>;

/**
 * Stores what is under the covered roots. A file that looks as it did in `last` is not read; content already stored
 * is not written. Everything the entries name is on disk when this resolves.
 */
export async function takeFiles(
	deps: Deps,
	last: readonly Entry[],
	apart: ReadonlySet<Name>
): Promise<Taken> {
	const { serverDir, dir, contents } = deps;
	const { entries } = await walk(serverDir, apart);
	refuseLinkedMods(entries.get('mods')?.kind);
	const before = new Map(last.flatMap((one) => (one.kind === 'file' ? [[one.name, one]] : [])));
	const files = [...entries.values()].filter((one) => one.kind === 'file');

	const hashed = await eachOf(files, LANES, (file) => identify(deps, file, before.get(file.name)));
	const missing = await groupMissing(hashed, contents);
	const needed = [...missing.values()].reduce((sum, [file]) => sum + file!.size, 0);
	await insistOnRoom(dir, needed, 'The snapshot');

	const stored = new Map<Name, Outcome>();
	let newBytes = 0;
	await eachOf([...missing.values()], LANES, async (group, slot) => {
		for (const file of group) {
			const have = await contents.has(file);
			const outcome = have ? file : await copyIn(deps, file, slot);
			stored.set(file.name, outcome);
			if (!have && outcome?.kind === 'file') newBytes += outcome.size;
		}
	});

	const outcomes = new Map(hashed.map((one, i) => [files[i]!.name, one]));
	for (const [name, outcome] of stored) outcomes.set(name, outcome);
	await settleNew(contents, outcomes.values(), [before.values(), stored.values()]);
	const all = [...entries.values()].flatMap((one): Entry[] => {
		const entry = one.kind === 'file' ? (outcomes.get(one.name) ?? null) : asEntry(one);
		return entry ? [entry] : [];
	});
	const left = all.filter((one) => one.kind === 'left');
	return { entries: all, newBytes, warnings: left.map((one) => notIn(one)) };
}

/** Without reading it, when it looks as it did when it was last read. */
async function identify(deps: Deps, file: FoundFile, before: FileEntry | undefined) {
	if (file.seen !== null && before?.seen === file.seen && (await deps.contents.has(before)))
		return { ...file, hash: before.hash };
	const place = placeOf(deps.serverDir, file.name);
	return untilSteady(deps, file, () => naming(file.name, () => readSteady(place, null)));
}

const copyIn = (deps: Deps, file: FileEntry, slot: number) =>
	untilSteady(deps, file, () => deps.contents.add(placeOf(deps.serverDir, file.name), slot));

async function untilSteady(
	{ clock }: Deps,
	file: FoundFile,
	read: () => Promise<Read>
): Promise<Outcome> {
	for (let tries = 1; ; tries++) {
		const result = await read();
		if (result.state === 'good') {
			const { hash, size, stats } = result;
			const mtimeMs = Number(stats.mtimeNs / 1000n) / 1000;
			return { ...plain(file), hash, size, mtimeMs, seen: fingerprint(stats) };
		}
		if (result.state === 'gone' && tries > 1) return null;
		if (tries === TRIES)
			return { kind: 'left', name: file.name, why: 'it kept changing while it was read' };
		await clock.sleep(RETRY_MS * tries);
	}
}

const plain = ({ name, uid, gid, mode }: FoundFile) =>
	({ kind: 'file', name, uid, gid, mode }) as const;

/** Files whose content is not stored, grouped by content. */
async function groupMissing(files: Outcome[], contents: Contents) {
	const groups = new Map<string, FileEntry[]>();
	await eachOf(files, LANES, async (file) => {
		if (file?.kind !== 'file' || (await contents.has(file))) return;
		groups.set(file.hash, [...(groups.get(file.hash) ?? []), file]);
	});
	return groups;
}

/** The content of the last snapshot is on disk since then; other content may be left from an interrupted snapshot. */
async function settleNew(
	contents: Contents,
	outcomes: Iterable<Outcome>,
	[old, stored]: [Iterable<Outcome>, Iterable<Outcome>]
) {
	const settled = hashesOf(old).difference(hashesOf(stored));
	await contents.settle(hashesOf(outcomes).difference(settled));
}

const hashesOf = (outcomes: Iterable<Outcome>) =>
	new Set([...outcomes].flatMap((one) => (one?.kind === 'file' ? [one.hash] : [])));

const asEntry = (one: Exclude<Entry, FileEntry> | FoundOther): Entry =>
	one.kind === 'left' ? { kind: 'left', name: one.name, why: one.why } : one;

const notIn = ({ name, why }: Left) => `${shown(name)} is not in the snapshot: ${why}.`;

/** Nothing behind a link is stored, so there would be nothing to restore. */
function refuseLinkedMods(kind: string | undefined) {
	if (kind !== 'link' && kind !== 'left') return;
	throw new AppError(
		'conflict',
		'mods is a link or not a folder, and snapshots do not follow links. Put a real folder in its place.'
	);
}
