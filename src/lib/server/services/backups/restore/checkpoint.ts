import type { StepContext } from '#operations';
import type { Unit } from './swap.ts';

/** What a restore remembers of itself in its journal. */
type Checkpoint = {
	/** Set first of all: the operation is one of ours. */
	backupRestore?: { by: string; wasRunning: boolean | null };
	/** Present while things may have changed places. */
	units?: Unit[] | null;
	/** This operation has started the server on what was restored. */
	launched?: boolean;
	/** What was restored has proven itself: it is not rolled back any more. */
	settled?: boolean;
	/** What was there before is whole and in its place again. */
	back?: boolean;
};

export const checkpointOf = (ctx: StepContext) => ctx.checkpoint as Checkpoint;
