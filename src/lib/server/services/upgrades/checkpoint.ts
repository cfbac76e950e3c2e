import type { Exchange } from '#core/files';
import type { ServerNotes, StepContext } from '#operations';
import type { KeptVersion } from '#schemas/software/kept';
import type { Kept } from './original.ts';

/** What an upgrade, or taking one back, records about itself in the journal. The rollback knows nothing else. */
export type Checkpoint = ServerNotes &
	Partial<{
		by: string;
		/** Files in mods/ that were set aside. */
		parked: string[];
		/** Of mods/ and the mods' configuration, taken before anything was touched. */
		snapshot: string;
		/** Why the launcher did not download the game, which then cannot be tried on a copy; null when it did. */
		incomplete: string | null;
		/** Only when what an upgrade has replaced is brought back. */
		kept: Kept & { id: string };
		/** From here on the folder has been changed. */
		exchange: Exchange;
		/** What was installed before the exchange, and when that was. */
		from: KeptVersion;
		exchangedAt: string;
		/** What was in the folder before the exchange, and before the first start after it. */
		known: string[];
		opened: boolean;
		ready: boolean;
		/** What was put in place has proven itself: it is no longer rolled back. */
		settled: boolean;
		/** On disk before anything is rolled back: from then on no process resumes the steps instead. */
		returning: boolean;
	}>;

export const checkpointOf = (ctx: StepContext) => ctx.checkpoint as Checkpoint;
export const remember = (ctx: StepContext, patch: Checkpoint) => ctx.remember(patch);
