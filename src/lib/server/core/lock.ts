import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from './clock.ts';
import { AppError, errno } from './errors.ts';
import { diskTrouble, PRIVATE_FILE } from './files/index.ts';

const SQLITE_BUSY = 5;
const POLL_MS = 20;

/**
 * A lock between processes, held by the kernel (SQLite's file lock): it ends with its holder, however that dies, so
 * there is no such thing as a stale lock. Not re-entrant: one `Lock` object is held by one caller at a time.
 */
export interface Lock {
	/** False when somebody else holds it. */
	tryAcquire(): boolean;
	/** Waits for it; `AppError('busy')` after `timeoutMs`. */
	acquire(timeoutMs: number, signal?: AbortSignal): Promise<void>;
	/** Does nothing unless this very object holds it. */
	release(): void;
	readonly held: boolean;
	/** Gives it back. */
	close(): void;
}

/** The one connection of this process to a lock's file. */
export interface SharedLock extends Lock {
	/** A lock for another user within this process: each holds it in turn and releases only its own. */
	share(): Lock;
}

export function createLock(file: string, clock: Clock): SharedLock {
	let db: DatabaseSync | null = null;
	/** Which of the users within this process holds it. */
	let holder: object | null = null;

	const connection = () => {
		if (db) return db;
		createPrivate(file);
		// The lock is all we want of it: nothing is ever written, and waiting must not block the thread.
		return (db = new DatabaseSync(file, { timeout: 0 }));
	};
	const take = () => {
		try {
			// Without a journal file, so that a full disk does not prevent locking.
			connection().exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
			return true;
		} catch (cause) {
			if (primaryCode(cause) === SQLITE_BUSY) return false;
			const why = `The lock file ${file} cannot be used: ${diskTrouble(cause)}.`;
			throw new AppError('internal', why, { cause });
		}
	};

	const share = (): Lock => {
		const me = {};
		const tryAcquire = () => {
			if (holder || !take()) return false;
			holder = me;
			return true;
		};
		const release = () => {
			if (holder !== me) return;
			holder = null;
			connection().exec('ROLLBACK');
		};
		return {
			tryAcquire,
			async acquire(timeoutMs, signal) {
				const deadline = clock.monotonicMs() + timeoutMs;
				signal?.throwIfAborted();
				while (!tryAcquire()) {
					if (clock.monotonicMs() >= deadline)
						throw new AppError('busy', 'Another process is busy with this. Try again in a moment.');
					await clock.sleep(POLL_MS, signal);
				}
			},
			release,
			get held() {
				return holder === me;
			},
			close: release
		};
	};

	return Object.assign(share(), {
		share,
		/** Gives it back, whichever user within this process holds it. */
		close() {
			holder = null;
			db?.close();
			db = null;
		}
	});
}

/**
 * Only when it does not exist yet: closing any descriptor of a file drops all of this process's locks on it,
 * including those that another `Lock` object holds.
 */
function createPrivate(file: string) {
	try {
		closeSync(openSync(file, 'wx', PRIVATE_FILE));
	} catch (error) {
		if (errno(error) !== 'EEXIST') throw error;
	}
}

/** SQLite's extended codes carry the primary one in their low byte. */
const primaryCode = (error: unknown) => ((error as { errcode?: number }).errcode ?? 0) & 0xff;
