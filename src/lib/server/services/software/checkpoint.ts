import type { Exchange } from '#core/files';
import type { ServerNotes, StepContext } from '#operations';

/** What an operation records about itself in the journal. */
export type Checkpoint = ServerNotes &
	Partial<{
		by: string;
		/** From here on the folder has been changed. */
		exchange: Exchange;
		/** Only when a server is created: what was in the folder. */
		before: string[];
		/** What was in the folder before the exchange, and before the first start after it. */
		known: string[];
		settled: boolean;
		/** On disk before anything is rolled back: from then on no process resumes the steps instead. */
		returning: boolean;
	}>;

export const checkpointOf = (ctx: StepContext) => ctx.checkpoint as Checkpoint;
export const remember = (ctx: StepContext, patch: Checkpoint) => ctx.remember(patch);
