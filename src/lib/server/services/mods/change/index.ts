import type { Actor } from '#core/actor';
import { AppError } from '#core/errors';
import type { Operation } from '#schemas/operation';
import type { Definition } from '#operations';
import { createTools } from './tools.ts';
import type { Deps, ModChange } from './types.ts';
import { changeSteps } from './steps.ts';
import { restoreSteps, type RestoreInput } from './restore.ts';
import { rollback } from './rollback.ts';
import { differs, planChanged } from './set.ts';
import { subjectOf } from './words.ts';

export type { Deps, ModChange } from './types.ts';

/**
 * The operations on mods: install, update, enable, disable, remove, and putting a snapshot back. One that fails, or
 * is killed at any moment, ends with exactly the old or the new set of files, and says which.
 */
export interface ModChanges {
	/** `AppError('conflict')`: something else is running, or the mods are not those of the plan (`plan-changed`). */
	run(change: ModChange, by: Actor): Promise<Operation>;
	/** `note` names the snapshot for people. */
	restore(snapshotId: string, note: string, by: Actor): Promise<Operation>;
	/** Before operations run or are recovered. */
	define(): void;
	/** How a snapshot is put back, for an app that has other restores under the same kind. */
	readonly restoring: Definition<RestoreInput>;
}

const KINDS = ['install', 'update', 'enable', 'disable', 'remove'] as const;

export function createModChanges(deps: Deps): ModChanges {
	const { operations, audit } = deps;
	const tools = createTools(deps);
	const back = rollback(tools);
	const restoring: Definition<RestoreInput> = {
		kind: 'restore',
		steps: (input) => restoreSteps(input, tools),
		rollback: back
	};

	/** What is in the way names itself; otherwise people are told at once that their plan is out of date. */
	async function begin(
		act: { action: string; subject: string; by: Actor },
		run: () => Promise<Operation>
	): Promise<Operation> {
		const { action, subject, by } = act;
		try {
			const operation = await run();
			await audit(by, action, { subject: operation.id, detail: subject });
			return operation;
		} catch (error) {
			if (error instanceof AppError) {
				const result = error.kind === 'conflict' ? 'refused' : 'failed';
				await audit(by, action, { result, detail: `${subject}: ${error.message}` });
			}
			throw error;
		}
	}

	return {
		restoring,
		define() {
			for (const kind of KINDS)
				operations.define<ModChange & { by: string }>({
					kind,
					steps: (input) => changeSteps(input, tools),
					rollback: back
				});
			operations.define(restoring);
		},
		run(change, by) {
			const subject = subjectOf(change.titles);
			return begin({ action: `mods.${change.kind}`, subject, by }, async () => {
				if (!operations.running()) {
					const difference = differs(change.before, await deps.current());
					if (difference) throw planChanged(difference);
				}
				return operations.run(change.kind, { ...change, by: by.name }, by, subject);
			});
		},
		restore(snapshotId, note, by) {
			const subject = note ? `Snapshot “${note}”` : `Snapshot ${snapshotId}`;
			const input: RestoreInput = { snapshot: snapshotId, by: by.name };
			return begin({ action: 'snapshots.restore', subject, by }, () =>
				operations.run('restore', input, by, subject)
			);
		}
	};
}
