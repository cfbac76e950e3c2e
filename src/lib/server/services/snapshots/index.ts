import type { AuditAction } from '#schemas/audit';
import type { Operation } from '#schemas/operation';
import type { CountdownRequest } from '#schemas/server';
import {
	SNAPSHOTS_BY_HAND_MAX,
	SNAPSHOTS_BY_OPERATIONS_MAX,
	SNAPSHOTS_PINNED_MAX,
	type Snapshot,
	type SnapshotCreate,
	type SnapshotPatch
} from '#schemas/snapshot';
import type { Actor, RecordAction } from '#core/actor';
import { AppError } from '#core/errors';
import type { Lock } from '#core/lock';
import { countdownOf, inTheWay, resultOf, type Countdown } from '#operations';
import type { About, SnapshotStore, Stored, StoredJar } from '#storage/snapshots';
import type { SnapshotContents } from './contents.ts';

export { createSnapshotContents, type JarNames } from './contents.ts';

/** `mods/` and the mods' configuration as they were: to view, keep and restore. */
export interface Snapshots extends SnapshotsForOperations, SnapshotContents {
	/** Newest first. One that cannot be read is listed with its problem. */
	list(): Promise<Snapshot[]>;
	/** By hand. `AppError('conflict')` while an operation is in progress: it would show half of its work; or when there are too many. */
	create(input: SnapshotCreate, by: Actor): Promise<Snapshot>;
	/** Starts the operation that puts it back. `AppError` 'not-found', or 'conflict' when it cannot be used. */
	restore(id: string, wish: CountdownRequest, by: Actor): Promise<Operation>;
	/** `AppError('conflict')` when too many are pinned. */
	change(id: string, patch: SnapshotPatch, by: Actor): Promise<Snapshot>;
	/** `AppError('conflict')` when a running or recoverable operation needs it. */
	remove(id: string, by: Actor): Promise<void>;
	/** What `prune` would remove now, newest first. */
	olderThan(keep: number): Promise<Snapshot[]>;
	/** Keeps the newest `keep` of those that are not pinned, and what an operation needs. */
	prune(keep: number, by: Actor): Promise<{ removed: number }>;
	/** Reads all that is stored for it; the answer has the time and the problem, if there is one. */
	verify(id: string): Promise<Snapshot>;
	close(): void;
}

/** For the steps of an operation, which holds the operations' lock. */
export interface SnapshotsForOperations {
	/** The oldest that operations took give way to it when there are too many, unless they are pinned or needed. */
	take(input: {
		reason: Snapshot['reason'];
		operationId: string | null;
		subject?: string;
		by: string;
		note?: string;
	}): Promise<Snapshot>;
	/**
	 * Makes `mods/` and the mods' configuration exactly what they were; files that were not there go. Only while the
	 * server is stopped. Repeatable after a crash at any moment. `AppError`: nothing was changed, but for the codes
	 * `half-restored` and `left-behind`.
	 */
	putBack(id: string): Promise<void>;
	/** Why it cannot be put back, in a sentence; null when it can. */
	problem(id: string): Promise<string | null>;
	/** The jars of `mods/` that a server would load from it. */
	jars(id: string): Promise<StoredJar[]>;
	/** Deletes one that its own operation no longer needs. */
	drop(id: string): Promise<void>;
}

type Deps = {
	store: SnapshotStore;
	contents: SnapshotContents;
	/** Begins the operation of kind `restore`, and records that in the audit log. */
	restoreOperation: (
		snapshotId: string,
		by: Actor,
		how: { note: string; countdown: Countdown | null }
	) => Promise<Operation>;
	/** Ids of snapshots that running or recoverable operations need; an operation's id stands for those it took. */
	needed: () => Promise<string[]>;
	/** The operation in progress, of this process or another. */
	operation: () => Operation | null;
	/** The operations' lock, for this service alone: others share it with theirs. */
	lock: Lock;
	audit: RecordAction;
};

/** Anything that holds the operations' lock longer than this is an operation. */
const LOCK_WAIT_MS = 2_000;

export function createSnapshots(deps: Deps): Snapshots {
	const { store, audit } = deps;

	const find = async (id: string) => {
		const stored = (await store.list()).find((one) => one.id === id);
		if (!stored) throw new AppError('not-found', 'There is no such snapshot.');
		return stored;
	};
	const shown = async (stored: Stored) => withUse(stored, await deps.needed());
	const take = async (about: About) => shown(await store.take(about));
	async function olderThan(keep: number) {
		const [all, needed] = await Promise.all([store.list(), deps.needed()]);
		// It is unknown whether an unreadable one was pinned.
		const counted = all.filter(({ pinned, readable }) => readable && !pinned);
		return counted.slice(keep).flatMap((stored) => {
			const one = withUse(stored, needed);
			return one.inUse ? [] : [one];
		});
	}
	const roomForOne = async () => {
		const byHand = (await store.list()).filter(({ reason }) => reason === 'manual');
		if (byHand.length >= SNAPSHOTS_BY_HAND_MAX)
			throw new AppError(
				'conflict',
				`There are already ${byHand.length} snapshots taken by hand, and no more are kept. Delete some of them, or prune the snapshots.`
			);
	};
	const roomForPin = async (id: string) => {
		const pinned = (await store.list()).filter((one) => one.pinned && one.id !== id);
		if (pinned.length >= SNAPSHOTS_PINNED_MAX)
			throw new AppError(
				'conflict',
				`There are already ${pinned.length} pinned snapshots, and no more can be pinned. Unpin one that is not needed.`
			);
	};
	const makeRoom = async () => {
		const needed = await deps.needed();
		const theirs = (await store.list()).filter(
			({ reason, pinned, readable }) => reason !== 'manual' && readable && !pinned
		);
		const old = theirs.slice(SNAPSHOTS_BY_OPERATIONS_MAX - 1);
		const spare = old.filter((one) => !withUse(one, needed).inUse);
		if (spare.length > 0) await store.remove(spare.map(({ id }) => id));
	};
	/** A refusal is recorded as well as the action. */
	const recorded = async <T>(
		by: Actor,
		action: AuditAction,
		subject: string | null,
		work: () => Promise<T>
	): Promise<T> => {
		try {
			return await work();
		} catch (error) {
			if (error instanceof AppError) {
				await audit(by, action, { subject, result: resultOf(error), detail: error.message });
			}
			throw error;
		}
	};

	return {
		async list() {
			const [list, needed] = await Promise.all([store.list(), deps.needed()]);
			return list.map((stored) => withUse(stored, needed));
		},
		create: ({ note }, by) =>
			recorded(by, 'snapshots.create', null, async () => {
				await enter(deps);
				const about: About = { reason: 'manual', operationId: null, by: by.name, note };
				const taken = await roomForOne()
					.then(() => take(about))
					.finally(() => deps.lock.release());
				const detail = [note, ...(taken.warnings ?? [])].filter(Boolean).join(' · ') || null;
				await audit(by, 'snapshots.create', { subject: taken.id, detail });
				return taken;
			}),
		async restore(id, wish, by) {
			const note = await recorded(by, 'snapshots.restore', id, async () => {
				const { note, readable, problem } = await find(id);
				if (!readable) throw new AppError('conflict', problem!, { code: 'snapshot-damaged' });
				return note;
			});
			return deps.restoreOperation(id, by, { note, countdown: countdownOf(wish) });
		},
		change: (id, patch, by) =>
			recorded(by, 'snapshots.change', id, async () => {
				if (patch.pinned) await roomForPin(id);
				const changed = await shown(await store.change(id, patch));
				await audit(by, 'snapshots.change', { subject: id, detail: inWords(patch) });
				return changed;
			}),
		remove: (id, by) =>
			recorded(by, 'snapshots.delete', id, async () => {
				const { inUse, note } = await shown(await find(id));
				if (inUse)
					throw new AppError(
						'conflict',
						'This snapshot is needed: by an operation that has not ended, or to go back to the version from before an upgrade.'
					);
				await store.remove([id]);
				await audit(by, 'snapshots.delete', { subject: id, detail: note || null });
			}),
		olderThan,
		prune: (keep, by) =>
			recorded(by, 'snapshots.prune', null, async () => {
				const removed = await store.remove((await olderThan(keep)).map(({ id }) => id));
				await audit(by, 'snapshots.prune', { detail: `Kept ${keep}, removed ${removed}` });
				return { removed };
			}),
		verify: async (id) => shown(await store.verify(id)),
		...deps.contents,

		async take({ note = '', ...about }) {
			await makeRoom();
			return take({ ...about, note });
		},
		putBack: store.putBack,
		async problem(id) {
			try {
				return await store.check(id);
			} catch (error) {
				if (error instanceof AppError && ['not-found', 'conflict'].includes(error.kind))
					return error.message;
				throw error;
			}
		},
		jars: store.jars,
		drop: async (id) => void (await store.remove([id])),
		close() {
			store.close();
			deps.lock.close();
		}
	};
}

function withUse({ readable: _readable, ...stored }: Stored, needed: string[]): Snapshot {
	const { id, operationId } = stored;
	const inUse = needed.includes(id) || (operationId !== null && needed.includes(operationId));
	return { ...stored, inUse };
}

const inWords = ({ note, pinned }: SnapshotPatch) =>
	[
		pinned !== undefined && (pinned ? 'Pinned' : 'Not pinned any more'),
		note !== undefined && `Note: ${note || 'none'}`
	]
		.filter(Boolean)
		.join(' · ') || null;

/** With the lock held no operation begins, and none is in the middle of changing what is stored. */
async function enter({ lock, operation }: Deps) {
	const running = operation();
	if (running) throw busy(running);
	await lock.acquire(LOCK_WAIT_MS).catch((error) => {
		throw error instanceof AppError && error.kind === 'busy' ? busy(operation()) : error;
	});
}

const busy = (running: Operation | null) =>
	running
		? inTheWay(running)
		: new AppError('conflict', 'Another process is busy with the server. Try again shortly.');
