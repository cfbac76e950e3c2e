import { backup } from './backup.ts';
import { console } from './console.ts';
import { modsCheck } from './mods-check.ts';
import { restart } from './restart.ts';
import { say } from './say.ts';
import { snapshotPrune } from './snapshot-prune.ts';
import { start } from './start.ts';
import { stop } from './stop.ts';
import { updateMods } from './update-mods.ts';

export {
	TaskRefused,
	TaskSkipped,
	type TaskContext,
	type TaskField,
	type TaskIcon,
	type TaskKind
} from './task-kind.ts';

/** Every type of task there is, in the order of the form. */
export const TASK_KINDS = [
	restart,
	start,
	stop,
	backup,
	say,
	modsCheck,
	updateMods,
	snapshotPrune,
	console
] as const;
