import type { ModFile, JarFacts } from '#minecraft/mods';
import { entriesOf, shownName, type Entry } from '../installed/index.ts';
import type { Known } from '../known.ts';
import { factsOf } from '../upload.ts';
import type { Deps as ChangeDeps, ModChange, Twins } from './types.ts';

type Deps = {
	/** What is in `mods/` now. */
	read: () => Promise<Pick<Known, 'files' | 'server' | 'flags'>>;
	readJar: Parameters<typeof factsOf>[1];
};

/** Reads the new files, now that they are here, and says which mod would be there twice. */
export const createDuplicateCheck =
	({ read, readJar }: Deps): ChangeDeps['duplicate'] =>
	async (change, fileOf) => {
		const facts = await Promise.all(change.put.map((_, i) => factsOf(fileOf(i), readJar)));
		return duplicateOf(await read(), change, facts);
	};

type StoredJar = { fileName: string; size: number; file: string };

/** Reads the jars of a snapshot, and says which of them are the same mod. */
export const createTwinsCheck =
	({ read, readJar, jarsOf }: Deps & { jarsOf: (snapshot: string) => Promise<StoredJar[]> }) =>
	async (snapshot: string): Promise<Twins> => {
		const [{ server, flags }, jars] = await Promise.all([read(), jarsOf(snapshot)]);
		const files: ModFile[] = [];
		for (const { fileName, size, file } of jars.filter(({ fileName }) => fileName.endsWith('.jar')))
			files.push(jarOf({ fileName, size, sha512: null }, await factsOf(file, readJar)));
		const entries = entriesOf(files, server).entries.filter((one) => one.active);
		const pairs = entries.flatMap((one, i) =>
			entries.slice(i + 1).flatMap((other) => (shared(one, other) ? [[one, other] as const] : []))
		);
		const isLocked = ({ own }: Entry) =>
			flags.locked({ modId: own[0]?.modId ?? null, sha512: null });
		const [pair] = pairs;
		const kept = pairs.flat().find(isLocked);
		return {
			locked: kept ? lockedTwin(kept, pairs) : null,
			others: pair ? `${sameMod(...pair)}: a server loads only one of them.` : null
		};
	};

type Change = Pick<ModChange, 'put' | 'take' | 'rename'>;

/**
 * Which mod a server would have twice after this change, in a sentence; null when none. Only the jars themselves say
 * which mods they are, so it is asked when they are here: `facts` of what comes, in the order of `put`. A loader takes
 * one of two, and a locked mod could be put out of use that way. Earlier duplicates block nothing.
 */
function duplicateOf(
	{ files, server, flags }: Pick<Known, 'files' | 'server' | 'flags'>,
	change: Change,
	facts: JarFacts[]
): string | null {
	const leaving = files.filter(({ fileName }) => leaves(fileName, change));
	const arriving = arrivals(leaving, change, facts);
	const staying = files.filter((file) => !leaving.includes(file));
	const isLocked = ({ file, own }: Entry) =>
		flags.locked({ modId: own[0]?.modId ?? null, sha512: file.sha512 });
	const active = (all: ModFile[]) => entriesOf(all, server).entries.filter((one) => one.active);
	const goes = active(files).filter(({ file }) => leaving.includes(file));
	const after = active([...staying, ...arriving]);
	const comes = after.filter(({ file }) => arriving.includes(file));
	/** One of the removed files was already beside the other. */
	const wasBeside = (entry: Entry, other: Entry) =>
		goes.some(
			(old) =>
				shared(old, entry) &&
				(comes.includes(other) ? goes.filter((one) => one !== old) : [other]).some(
					(one) => shared(old, one) && shared(one, other)
				)
		);
	for (const entry of comes) {
		const twins = after.filter((other) => other !== entry && shared(entry, other));
		const twin = twins.find((other) => isLocked(other) || !wasBeside(entry, other));
		if (twin) return sentence(entry, twin, isLocked(twin));
	}
	return null;
}

const leaves = (name: string, { take, rename }: Change) =>
	take.some(({ fileName }) => fileName === name) || rename.some(({ from }) => from === name);

/** The files that will newly be there afterwards. */
function arrivals(leaving: ModFile[], { put, rename }: Change, facts: JarFacts[]): ModFile[] {
	const brought = put.map((file, i) => jarOf(file, facts[i]!));
	const renamed = rename.flatMap(({ from, to }) => {
		const file = leaving.find(({ fileName }) => fileName === from);
		return file ? [{ ...file, fileName: to, enabled: isEnabled(to) }] : [];
	});
	return [...brought, ...renamed];
}

const jarOf = (
	{ fileName, size, sha512 }: Pick<ModFile, 'fileName' | 'size' | 'sha512'>,
	facts: JarFacts
): ModFile => ({
	...{ fileName, size, sha512, enabled: isEnabled(fileName), facts },
	...{ mtimeMs: 0, regular: true }
});

const isEnabled = (fileName: string) => fileName.endsWith('.jar');

/**
 * Why a loader takes only one of the two: both are this mod, or one of them answers to the id of the other. Null when
 * it takes both: two may stand in for the same third one, and hold the same library inside.
 */
function shared(a: Entry, b: Entry): string | null {
	const [ids, others] = [ownIds(a), ownIds(b)];
	const common = [...ids, ...aliases(a)].find((id) => others.includes(id));
	return common ?? aliases(b).find((id) => ids.includes(id)) ?? null;
}

const ownIds = ({ own }: Entry) => own.map(({ modId }) => modId.toLowerCase());
const aliases = ({ own }: Entry) =>
	own.flatMap(({ provides }) => provides.map((id) => id.toLowerCase()));

function sentence(entry: Entry, twin: Entry, isLocked: boolean): string {
	const there = shownName(twin.file.fileName);
	const what = sameMod(entry, twin);
	return isLocked
		? `${what}, which is locked: only a superadmin may remove that.`
		: `${what}, and a server loads only one of them. Remove ${there} first.`;
}

const sameMod = (one: Entry, other: Entry) =>
	`${shownName(one.file.fileName)} is the same mod (${shared(one, other)}) as ${shownName(other.file.fileName)}`;

function lockedTwin(kept: Entry, pairs: (readonly [Entry, Entry])[]): string {
	const pair = pairs.find((one) => one.includes(kept))!;
	const twin = pair.find((one) => one !== kept)!;
	return `In this snapshot ${sameMod(twin, kept)}, which is locked, and a server loads only one of them. Unlock it first, or restore another snapshot.`;
}
