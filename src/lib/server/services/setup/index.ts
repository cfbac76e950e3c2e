import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Actor, RecordAction } from '#core/actor';
import { AppError } from '#core/errors';
import { exists, writeAtomic } from '#core/files';
import type { Lock } from '#core/lock';
import type { Properties } from '#minecraft/folder';
import { rconLines } from './rcon-lines.ts';

export { createFirstRun } from './first-run.ts';

/** Changes to the game's own configuration that a superadmin asks for; the file is only written while the server is stopped. */
export interface Setup {
	/** The lines that turn RCON on, as they are written; without the password where one stands in the file. */
	rconLines(): Promise<string[]>;
	/** Writes them now, or queues them for the next stop. The words say which. */
	enableRcon(by: Actor): Promise<{ message: string }>;
	queued(): Promise<boolean>;
	/** Writes that this person agrees to Minecraft's EULA. `AppError('conflict')` while the server runs or is operated on. */
	acceptEula(by: Actor): Promise<{ message: string }>;
	/** Writes what was queued, if the server is stopped by now. `locked`: an operation does it, which holds the lock. */
	applyQueued(locked?: boolean): Promise<void>;
	close(): void;
}

type Deps = {
	dataDir: string;
	isStopped: () => Promise<boolean>;
	/** The operations' lock, for this service alone: others share it with theirs. */
	lock: Lock;
	/** server.properties as it is now. */
	properties: () => Promise<Properties | null>;
	/** RCON_PORT and RCON_PASSWORD. */
	rcon: { port: number | null; password: string | null };
	/** The first from the wanted one on that is free on this machine, and not meant for something else. */
	freePort: (wanted: number, meant: number[]) => Promise<number>;
	/** server.properties has changed. */
	written: () => void;
	/** Changes values of server.properties. `AppError('upstream')` when it is no file to be written. */
	edit: (changes: Record<string, string>) => Promise<void>;
	/** Into eula.txt. `AppError('upstream')` when it is no file to be written. */
	acceptEula: () => Promise<void>;
	audit: RecordAction;
};

export function createSetup(deps: Deps): Setup {
	const { dataDir, isStopped, lock, edit, audit, written } = deps;
	const queue = path.join(dataDir, 'rcon-queued.json');
	const made = { password: randomBytes(18).toString('base64url') };
	const on = async () => rconLines(await deps.properties(), { ...deps, made });

	/** Returns true when it was done. Under the operations' lock the server cannot be started meanwhile. */
	async function whileStopped(write: () => Promise<void>, locked = false): Promise<boolean> {
		if (!locked && !lock.tryAcquire()) return false;
		try {
			if (!(await isStopped())) return false;
			await write();
			written();
			return true;
		} finally {
			if (!locked) lock.release();
		}
	}
	const writeNow = (locked = false) => whileStopped(async () => edit((await on()).changes), locked);

	return {
		rconLines: async () => (await on()).lines,

		async enableRcon(by) {
			if (await writeNow()) {
				await audit(by, 'setup.rcon', { detail: 'written to server.properties' });
				return { message: 'RCON is on from the next start of the server.' };
			}
			await writeAtomic(queue, '{}');
			await audit(by, 'setup.rcon', { detail: 'queued for the next stop' });
			return {
				message:
					'RCON will be turned on when the server stops next. It works after the start that follows.'
			};
		},

		async acceptEula(by) {
			if (!(await whileStopped(deps.acceptEula)))
				throw new AppError(
					'conflict',
					'The EULA can only be accepted while the server is stopped and nothing else is in progress. Try again then.'
				);
			await audit(by, 'setup.eula', { detail: 'written to eula.txt' });
			return { message: 'Minecraft’s EULA is accepted.' };
		},

		queued: () => exists(queue),

		async applyQueued(locked = false) {
			if (!(await exists(queue)) || !(await writeNow(locked))) return;
			await rm(queue, { force: true });
		},

		close: () => lock.close()
	};
}
