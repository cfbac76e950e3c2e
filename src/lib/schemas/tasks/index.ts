import { backup } from './backup.ts';
import { say } from './say.ts';
import { snapshotPrune } from './snapshot-prune.ts';

export {
	TaskRefused,
	type TaskContext,
	type TaskField,
	type TaskIcon,
	type TaskKind
} from './task-kind.ts';

/** Every type of task there is, in the order of the form. */
export const TASK_KINDS = [say, backup, snapshotPrune] as const;
