import type { Exchange } from '#core/files';
import type { StepContext } from '#operations';

/** What an upgrade records about itself in the journal. The rollback knows nothing else. */
export type Checkpoint = Partial<{
	by: string;
	/** Files in mods/ that were set aside. */
	parked: string[];
	/** Of mods/ and the mods' configuration, taken before anything was touched. */
	snapshot: string;
	/** Why the launcher has not brought the game, which then cannot be tried on a copy; null when it has. */
	incomplete: string | null;
	/** Whether the server ran before it was stopped for this. */
	wasRunning: boolean;
	/** From here on the folder is not what it was. */
	exchange: Exchange;
	/** The new game may have been started. */
	launching: boolean;
	/** What lay in the folder before the exchange, and before the first start after it. */
	known: string[];
	opened: boolean;
	ready: boolean;
	answered: boolean;
	crashed: boolean;
	/** The new game has proven itself: it is no longer taken back. */
	settled: boolean;
	/** On disk before anything is taken back: from then on no process goes on instead. */
	returning: boolean;
	/** Everything of before is back in its place. */
	restored: boolean;
}>;

export const checkpointOf = (ctx: StepContext) => ctx.checkpoint as Checkpoint;
export const remember = (ctx: StepContext, patch: Checkpoint) => ctx.remember(patch);
