import type { Exchange } from '#core/files';
import type { ServerNotes, StepContext } from '#operations';

/** What an operation remembers. */
export type Checkpoint = ServerNotes &
	Partial<{
		by: string;
		/** From here on the folder has been changed. */
		exchange: Exchange;
		/** Only of a server that is created: what lay in the folder. */
		before: string[];
		/** What lay in the folder before the exchange, and before the first start after it. */
		known: string[];
		settled: boolean;
		/** On disk before anything is taken back: from then on no process goes on instead. */
		returning: boolean;
	}>;

export const checkpointOf = (ctx: StepContext) => ctx.checkpoint as Checkpoint;
export const remember = (ctx: StepContext, patch: Checkpoint) => ctx.remember(patch);
