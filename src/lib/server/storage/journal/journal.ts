import { mkdir, rename, rm } from 'node:fs/promises';
import { z } from 'zod';
import { Time } from '#schemas/common';
import { Operation, OperationId, OperationState } from '#schemas/operation';
import { AppError, errno } from '#core/errors';
import { PRIVATE_DIR, diskTrouble, sweepTemps, writeAtomic } from '#core/files';
import { createJournalReader, type Warn } from './read.ts';

const ENTRY_VERSION = 1;

/** What is known about one operation after a power cut. */
export const Entry = z.object({
	version: z.literal(ENTRY_VERSION),
	operation: Operation,
	input: z.unknown(),
	/** Facts that its steps want to remember. */
	memo: z.record(z.string(), z.unknown()),
	/** Its direction: forwards, undoing step by step, or the definition's own rollback. */
	phase: z.enum(['forward', 'undo', 'rollback']),
	/** How it ends when the undo is complete. */
	ending: OperationState.nullable(),
	/** The step during which a process died. It may have been half done, so it is undone too. */
	crashed: z.string().nullable(),
	/** How many processes in a row resumed it and died before they finished a step. */
	takeovers: z.int().min(0),
	writtenAt: Time,
	/** An operation that runs beside the others has reached the steps that need the server exclusively. */
	server: z.boolean().optional()
});
export type Entry = z.infer<typeof Entry>;

/** Operations on disk, one JSON file each. */
export interface Journal {
	/** On disk when it resolves. `AppError('internal')` says in a sentence why it could not be written. */
	write(entry: Entry): Promise<void>;
	/** For an operation that ended while its end could not be written: it counts as failed from now on. */
	seal(id: string): Promise<void>;
	/** Null when there is none, or when it cannot be read. */
	read(id: string): Promise<Entry | null>;
	/** Newest first. */
	newest(limit: number): Promise<Operation[]>;
	/** Those without an end, oldest first: in progress in some process, or left behind by a dead one. */
	open(): Entry[];
	/** `AppError('internal')` when a newer Craftwarden has left one without an end: only a newer one can end it. */
	refuseNewer(): void;
	remove(id: string): Promise<void>;
	/** Removes temp files of dead writers, and the oldest ended operations beyond `keep`. */
	tidy(keep: number, now: Date): Promise<void>;
}

export function createJournal({ dir, warn }: { dir: string; warn: Warn }): Journal {
	const reader = createJournalReader({ dir, warn, schema: Entry, version: ENTRY_VERSION });
	const { fileOf, sealedOf, list } = reader;

	const remove = async (id: string) => {
		await rm(fileOf(id), { force: true });
		await rm(sealedOf(id), { force: true });
	};
	return {
		async write(entry) {
			const { id, state } = entry.operation;
			try {
				await mkdir(dir, { recursive: true, mode: PRIVATE_DIR });
				await writeAtomic(fileOf(id), `${JSON.stringify(entry)}\n`);
			} catch (cause) {
				const why = `The journal could not be written: ${diskTrouble(cause)}.`;
				throw new AppError('internal', why, { cause, code: 'journal' });
			}
			if (state === 'running') return;
			reader.forget(id);
			// Where both exist, the one with the end is read, so this may fail.
			await rm(sealedOf(id), { force: true }).catch(() => {});
		},
		async seal(id) {
			// Better no record of it than one that says it is still to be done.
			await rename(fileOf(id), sealedOf(id)).catch(() => rm(fileOf(id), { force: true }));
		},
		read: async (id) => (OperationId.safeParse(id).success ? reader.load(id) : null),
		newest: reader.newest,
		open: reader.open,
		refuseNewer: reader.refuseNewer,
		remove,
		async tidy(keep, now) {
			await sweepTemps(dir, now).catch((error) => {
				if (errno(error) !== 'ENOENT') throw error;
			});
			const open = new Set(reader.open().map(({ operation }) => operation.id));
			const ids = list().map(({ id }) => id);
			for (const id of ids.slice(0, Math.max(0, ids.length - keep))) {
				if (open.has(id)) continue;
				await remove(id);
				reader.forget(id);
			}
		}
	};
}
