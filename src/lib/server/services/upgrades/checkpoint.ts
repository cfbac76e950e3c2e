import type { Exchange } from '#core/files';
import type { ServerNotes, StepContext } from '#operations';

/** What an upgrade records about itself in the journal. The rollback knows nothing else. */
export type Checkpoint = ServerNotes &
	Partial<{
		by: string;
		/** Files in mods/ that were set aside. */
		parked: string[];
		/** Of mods/ and the mods' configuration, taken before anything was touched. */
		snapshot: string;
		/** Why the launcher did not download the game, which then cannot be tried on a copy; null when it did. */
		incomplete: string | null;
		/** From here on the folder has been changed. */
		exchange: Exchange;
		/** What was in the folder before the exchange, and before the first start after it. */
		known: string[];
		opened: boolean;
		ready: boolean;
		/** The new game has proven itself: it is no longer rolled back. */
		settled: boolean;
		/** On disk before anything is rolled back: from then on no process resumes the steps instead. */
		returning: boolean;
	}>;

export const checkpointOf = (ctx: StepContext) => ctx.checkpoint as Checkpoint;
export const remember = (ctx: StepContext, patch: Checkpoint) => ctx.remember(patch);
