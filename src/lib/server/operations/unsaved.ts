import type { Operation } from '#schemas/operation';
import type { Logger } from '#core/log';
import type { Entry, Journal } from '#storage/journal';

/** Operations that ended in this process while the disk could not be written: only this process knows their end. */
export type Unsaved = {
	has(id: string): boolean;
	get(id: string): Operation | undefined;
	/** Marks it as over in the journal by other means, so that no process resumes it. */
	keep(entry: Entry): Promise<void>;
	/** Tries again. */
	save(): Promise<void>;
	/** The first write of an operation: if its caller is told that nothing began, it must not be resumed later. */
	writeFirst(entry: Entry): Promise<void>;
};

export function createUnsaved({ journal, log }: { journal: Journal; log: Logger }): Unsaved {
	const entries = new Map<string, Entry>();
	return {
		has: (id) => entries.has(id),
		get: (id) => structuredClone(entries.get(id)?.operation),
		async keep(entry) {
			const { id } = entry.operation;
			entries.set(id, entry);
			await journal
				.seal(id)
				.catch((cause) =>
					log.error('The end of an operation is missing in the journal', { operation: id, cause })
				);
		},
		async save() {
			for (const [id, entry] of entries) {
				await journal.write(entry);
				entries.delete(id);
			}
		},
		async writeFirst(entry) {
			const { operation } = entry;
			await journal.write(entry).catch(async (error) => {
				await journal.remove(operation.id).catch((cause) => {
					log.error('A refused operation is still in the journal', {
						operation: operation.id,
						cause
					});
					const never = { message: `${error.message} Nothing was started.`, log: [], mods: [] };
					const ended = { state: 'failed', finishedAt: operation.startedAt, cause: never } as const;
					entries.set(operation.id, { ...entry, operation: { ...operation, ...ended } });
				});
				throw error;
			});
		}
	};
}
