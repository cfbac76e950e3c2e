import type { Actor } from '#core/actor';
import type { Operation } from '#schemas/operation';
import { listed } from '#schemas/plain/words/listed';
import { beginAudited, type Definition } from '#operations';
import { createRestoreStart } from './restore-start.ts';
import { refuse, refuseWhileRunning } from './common.ts';
import { createTools } from './tools.ts';
import type { Deps, ModChange } from './types.ts';
import { changeSteps } from './steps.ts';
import { restoreSteps, type RestoreInput } from './restore.ts';
import { rollback } from './rollback.ts';
import { differs, planChanged } from './set.ts';
import { whyNoTrial } from './trial.ts';
import { subjectOf } from './labels.ts';

export { createRestoreStart } from './restore-start.ts';
export { createDuplicateCheck, createTwinsCheck } from './duplicate.ts';
export type { Deps, Deps as ModChangeDeps, Failed, ModChange } from './types.ts';
export { subjectOf } from './labels.ts';
export { createDownloads } from './downloads.ts';
export { afterwards, differs, planChanged } from './set.ts';
export { compareOnCopy, filesOf, jarsAfter } from './trial.ts';
export { createPacks } from './packs.ts';
export { createWithdrawn } from './withdrawn.ts';

/**
 * The operations on mods: install, update, enable, disable, remove, and putting a snapshot back. One that fails, or
 * is killed at any moment, ends with exactly the old or the new set of files, and says which.
 */
export interface ModChanges {
	/** `AppError('conflict')`: something else is running, or the mods are not those of the plan (`plan-changed`). */
	run(change: ModChange, by: Actor): Promise<Operation>;
	/** `note` names the snapshot for people. */
	restore(snapshotId: string, note: string, by: Actor): Promise<Operation>;
	/** Why a change would not be tried on a copy first, in a sentence; null when it would. */
	whyNoTrial(change: ModChange): Promise<string | null>;
	/** Before operations run or are recovered. */
	define(): void;
	/** How a snapshot is put back, for an app that has other restores under the same kind. */
	readonly restoring: Definition<RestoreInput>;
}

const KINDS = ['install', 'update', 'enable', 'disable', 'remove'] as const;

/** Of what is changed, in the audit log. */
const NAMED_MAX = 10;

export function createModChanges(deps: Deps): ModChanges {
	const { operations, audit } = deps;
	const tools = createTools(deps);
	const back = rollback(tools);
	const startRestore = createRestoreStart(deps);
	const restoring: Definition<RestoreInput> = {
		kind: 'restore',
		steps: (input) => restoreSteps(input, tools),
		rollback: back
	};

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
			const subject = subjectOf(change);
			// Whatever is in the way is named; otherwise people are told at once that their plan is out of date.
			const about = {
				action: `mods.${change.kind}`,
				subject,
				detail: listed(change.titles, NAMED_MAX)
			} as const;
			return beginAudited({ ...about, by }, audit, async () => {
				refuse(await deps.untouchable());
				if (change.filesOnly) await refuseWhileRunning(deps.server);
				if (!operations.running()) {
					const difference = differs(change.before, await deps.current());
					if (difference) throw planChanged(difference);
				}
				return operations.run(change.kind, { ...change, by: by.name }, by, subject);
			});
		},
		whyNoTrial: (change) => whyNoTrial(deps, change),
		restore: (snapshotId, note, by) => startRestore(snapshotId, by, { note })
	};
}
