import { randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { Snapshot, SnapshotPatch } from '#schemas/snapshot';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import { ensureDir, onDisk } from '#core/files';
import type { Lock } from '#core/lock';
import { createSerial } from '#core/serial';
import { createContents } from './content.ts';
import { listing, type Stored } from './listing.ts';
import { encode, rehead, type Entry, type FileEntry } from './manifest.ts';
import { nameBelow, shown, textOf } from './names.ts';
import { planOf, problemOf } from './plan.ts';
import { putFilesBack } from './put-back.ts';
import { createShelf, idAt } from './shelf.ts';
import { takeFiles } from './take.ts';
import { walk } from './tree.ts';

export type { Stored } from './listing.ts';
export type StoredJar = { fileName: string; size: number; hash: string; file: string };
export type About = Pick<Snapshot, 'reason' | 'operationId' | 'subject' | 'by' | 'note'>;

/**
 * Snapshots of `mods/` and the mods' configuration: content by sha256 in `objects/`, with one manifest for each
 * beside it, written last. Several processes may use one folder: every action takes one lock that ends with its
 * holder.
 */
export interface SnapshotStore {
	/** Content stored before is neither read nor written again. `AppError`: the store is as it was. */
	take(about: About): Promise<Stored>;
	/**
	 * Makes the covered folders exactly match the snapshot; repeatable after a crash at any moment. `AppError` before
	 * anything is touched when stored content is damaged or the disk too full. Later failures are undone, except for
	 * the codes `half-restored` (undoing failed, too) and `left-behind` (all is restored, but what it replaced is
	 * still there).
	 */
	putBack(id: string): Promise<void>;
	/** Newest first, including unreadable ones with their problem. */
	list(): Promise<Stored[]>;
	/** The jars of `mods/` in it, disabled ones too, each with the file that holds its content. */
	jars(id: string): Promise<StoredJar[]>;
	/** Opens one as it is stored; null when it is not there. */
	openJar(hash: string): Promise<FileHandle | null>;
	/** What `putBack` would do to the files as they are now: all are read and compared. */
	changes(id: string): Promise<Changes>;
	change(id: string, patch: SnapshotPatch): Promise<Stored>;
	/** Deletes them and all content that no other one needs; returns how many there were. */
	remove(ids: string[]): Promise<number>;
	/** Reads everything that is stored for it: returns why it cannot be restored, in a sentence, or null. */
	check(id: string): Promise<string | null>;
	/** Does the same and stores the result. */
	verify(id: string): Promise<Stored>;
	close(): void;
}

/** A jar by the name of its file in `mods/`, with the sha256 of its content. */
/** Names below the server's folder. */
export type Changes = {
	put: { name: string; hash: string | null }[];
	/** Something else may be put in its place. A folder stands for all that is in it. */
	remove: string[];
};

type Deps = {
	serverDir: string;
	/** SNAPSHOT_DIR. */
	dir: string;
	/** Unique to this object within the process, in that folder. */
	lock: Lock;
	clock: Clock;
	/** Absolute paths that are neither mods nor configuration, wherever they are: worlds, our own folders. */
	apart: () => Promise<string[]>;
	warn: (message: string) => void;
};

const LOCK_WAIT_MS = 60_000;

export function createSnapshotStore(deps: Deps): SnapshotStore {
	const { serverDir, dir, lock, clock, warn } = deps;
	const contents = createContents(path.join(dir, 'objects'));
	const shelf = createShelf(dir);
	const list = listing(shelf);
	const queue = createSerial();

	/** `what` begins the sentence when the disk fails. */
	const locked = <T>(what: string, work: () => Promise<T>): Promise<T> =>
		queue.run(() =>
			onDisk(`${what} in ${dir}`, async () => {
				await ensureDir(dir);
				await lock.acquire(LOCK_WAIT_MS);
				return work().finally(() => lock.release());
			})
		);
	const one = async (id: string) => {
		const stored = (await list()).find((each) => each.id === id);
		if (!stored) throw new AppError('not-found', 'There is no such snapshot.');
		return stored;
	};
	const apart = async () => {
		const below = [dir, ...(await deps.apart())].map((file) => nameBelow(serverDir, file));
		return new Set(below.filter((name) => name !== null));
	};

	async function take(about: About): Promise<Stored> {
		const last = await lastEntries();
		try {
			const { entries, newBytes, warnings } = await takeFiles(
				{ serverDir, dir, contents, clock },
				last,
				await apart()
			);
			const files = filesOf(entries);
			const head = {
				...about,
				id: await newId(),
				createdAt: clock.now().toISOString(),
				...{ pinned: false, verifiedAt: null, problem: null, warnings },
				mods: files.filter(isJar).length,
				files: files.length,
				bytes: files.reduce((sum, { size }) => sum + size, 0)
			};
			await shelf.put(head.id, await encode(head, entries));
			return { ...head, ownBytes: newBytes, readable: true };
		} catch (error) {
			// A full disk, above all, gets back what was stored in vain.
			await collect().catch(() => {});
			throw error;
		}
	}

	/** The newest one that can be read. */
	async function lastEntries(): Promise<Entry[]> {
		for (const id of await shelf.ids()) {
			const found = await shelf.load(id);
			if (found && 'manifest' in found) return found.manifest.entries;
		}
		return [];
	}

	async function newId() {
		const taken = await shelf.ids();
		for (;;) {
			const id = idAt(clock.now(), randomBytes(2).toString('hex'));
			if (!taken.includes(id)) return id;
		}
	}

	async function remove(ids: string[]) {
		const there = (await shelf.ids()).filter((id) => ids.includes(id));
		for (const id of there) await shelf.remove(id);
		await collect();
		return there.length;
	}

	/** While we hold the lock nobody is writing: what no manifest names belongs to nobody. */
	async function collect() {
		await shelf.sweep(clock.now());
		const needed = new Set<string>();
		for (const id of await shelf.ids()) {
			const found = await shelf.load(id);
			if (found && 'manifest' in found)
				for (const { hash } of filesOf(found.manifest.entries)) needed.add(hash);
			else if (found) {
				const why = `the list of files of snapshot ${id} ${found.problem}`;
				return warn(`No stored files are deleted, for ${why}. Delete that snapshot.`);
			}
		}
		await contents.collect(needed);
	}

	async function changes(id: string): Promise<Changes> {
		const { entries } = (await shelf.get(id)).manifest;
		const { fill, clear } = await planOf(serverDir, entries, await walk(serverDir, await apart()));
		const put = fill.map((one) => ({
			name: textOf(one.name),
			hash: one.kind === 'file' ? one.hash : null
		}));
		return { put, remove: clear.map(textOf) };
	}

	return {
		take: (about) => locked('The snapshot could not be stored', () => take(about)),
		putBack: (id) =>
			locked('The snapshot could not be read', async () => {
				const { entries } = (await shelf.get(id)).manifest;
				await putFilesBack({ serverDir, contents }, entries, await apart());
			}),
		list: () => onDisk(`The snapshots could not be listed in ${dir}`, list),
		jars: (id) =>
			onDisk('The snapshot could not be read', async () => {
				const { entries } = (await shelf.get(id)).manifest;
				return filesOf(entries)
					.filter(isJar)
					.map(({ name, size, hash }) => {
						const fileName = shown(name).slice('mods/'.length);
						return { fileName, size, hash, file: contents.at(hash) };
					});
			}),
		openJar: contents.open,
		changes: (id) => locked('The snapshot could not be compared', () => changes(id)),
		change: (id, patch) =>
			locked('The snapshot could not be changed', async () => {
				const { text, manifest } = await shelf.get(id);
				await shelf.put(id, rehead(text, { ...manifest.head, ...defined(patch) }), text);
				return one(id);
			}),
		remove: (ids) => locked('The snapshot could not be deleted', () => remove(ids)),
		check: (id) =>
			locked('The snapshot could not be checked', async () => {
				const { entries } = (await shelf.get(id)).manifest;
				return problemOf(contents, filesOf(entries));
			}),
		verify: (id) =>
			locked('The snapshot could not be verified', async () => {
				const { text, manifest } = await shelf.get(id);
				const problem = await problemOf(contents, filesOf(manifest.entries));
				const verifiedAt = clock.now().toISOString();
				await shelf.put(id, rehead(text, { ...manifest.head, verifiedAt, problem }), text);
				return one(id);
			}),
		close: () => lock.close()
	};
}

const isJar = ({ name }: FileEntry) => /^mods\/[^/]+\.jar(\.disabled)?$/.test(name);
const filesOf = (entries: Entry[]): FileEntry[] => entries.filter((one) => one.kind === 'file');

const defined = ({ note, pinned }: SnapshotPatch) => ({
	...(note !== undefined && { note }),
	...(pinned !== undefined && { pinned })
});
