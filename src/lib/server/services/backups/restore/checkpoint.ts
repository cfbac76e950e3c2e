import type { StepContext } from '#operations';
import type { Unit } from './swap.ts';

/** What a restore keeps about itself in its journal. */
type Checkpoint = {
	/** Set before anything else: the operation is one of ours. */
	backupRestore?: { by: string; wasRunning: boolean | null };
	/** What is there now, made or being made: see the steps of a backup. */
	backup?: { id: string };
	/** Present while files may have been swapped. */
	units?: Unit[] | null;
	/** This operation has started the server on the restored files. */
	launched?: boolean;
	/** The restored files have proven themselves: they are no longer rolled back. */
	settled?: boolean;
	/** What was there before is complete and back in its place. */
	back?: boolean;
};

export const checkpointOf = (ctx: StepContext) => ctx.checkpoint as Checkpoint;
