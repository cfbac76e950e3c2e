import type { SnapshotChanges, SnapshotMod } from '#schemas/snapshot';
import { createLru } from '#core/lru';
import type { SnapshotStore } from '#storage/snapshots';
import { compare, shownMod, type KnownJar } from './compare.ts';

/** A jar's metadata; null for each field that it lacks. */
export type JarNames = { modId: string | null; name: string | null; version: string | null };

export interface SnapshotContents {
	/** The mods in it, by name. `AppError('not-found')`. */
	mods(id: string): Promise<SnapshotMod[]>;
	/** What restoring it would change now: all files are read. `AppError` as of the restore. */
	changes(id: string): Promise<SnapshotChanges>;
}

type Deps = {
	store: Pick<SnapshotStore, 'jars' | 'openJar' | 'changes'>;
	readNames: (
		handle: NonNullable<Awaited<ReturnType<SnapshotStore['openJar']>>>
	) => Promise<JarNames>;
	/** The jars in `mods/` as they are now. */
	installed: () => Promise<(JarNames & { fileName: string })[]>;
};

/** What is stored under a hash never changes. */
const NAMES_MAX = 2000;
const NO_NAMES: JarNames = { modId: null, name: null, version: null };
const JAR = /^mods\/([^/]+\.jar(?:\.disabled)?)$/;

/** What is in snapshots, by the names of the mods; read on request, and cached by content. */
export function createSnapshotContents({ store, readNames, installed }: Deps): SnapshotContents {
	const known = createLru<string, JarNames>(NAMES_MAX);

	async function namesOf(hash: string): Promise<JarNames> {
		const found = known.get(hash);
		if (found) return found;
		const handle = await store.openJar(hash).catch(() => null);
		if (!handle) return NO_NAMES;
		try {
			const names = await readNames(handle);
			known.set(hash, names);
			return names;
		} finally {
			await handle.close();
		}
	}
	async function knownJar(fileName: string, hash: string): Promise<KnownJar> {
		return toKnown({ fileName, ...(await namesOf(hash)) });
	}

	return {
		async mods(id) {
			const mods: SnapshotMod[] = [];
			// One after the other: two hundred jars would be as many open files.
			for (const { fileName, hash } of await store.jars(id)) {
				mods.push(shownMod(await knownJar(fileName, hash)));
			}
			return mods.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
		},
		async changes(id) {
			const { put, remove } = await store.changes(id);
			const come: KnownJar[] = [];
			for (const { name, hash } of put) {
				const fileName = JAR.exec(name)?.[1];
				if (fileName && hash) come.push(await knownJar(fileName, hash));
			}
			const going = new Set(remove.flatMap((name) => JAR.exec(name)?.[1] ?? []));
			const go = (await installed()).filter(({ fileName }) => going.has(fileName)).map(toKnown);
			const others = [...put.map(({ name }) => name), ...remove].filter((name) => !JAR.test(name));
			return compare(come, go, others);
		}
	};
}

const toKnown = ({
	fileName,
	modId,
	name,
	version
}: JarNames & { fileName: string }): KnownJar => ({
	...{ fileName, modId, version },
	name: name ?? fileName.replace(/\.jar(\.disabled)?$/, '')
});
