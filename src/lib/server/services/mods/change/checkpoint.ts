import { z } from 'zod';
import { Cause, TrialBoot } from '#schemas/operation';
import type { Crash, StepContext } from '#operations';

/** What a change to the mods records about itself in the journal. The rollback knows nothing else. */
const Checkpoint = z.object({
	/** Taken before anything was touched. */
	way: z
		.object({
			by: z.string(),
			/** What comes, with its version, and what it replaces: for people. */
			what: z.string(),
			verb: z.enum(['added', 'removed', 'changed']),
			old: z.string().nullable(),
			/** `digest` of the previous set. */
			before: z.string(),
			/** Files from the registry that come; `alone` when nothing else changes. */
			brings: z.array(z.string()).optional(),
			alone: z.boolean().optional()
		})
		.optional(),
	snapshot: z.string().optional(),
	/** What was started on a copy before. */
	boots: z
		.array(
			TrialBoot.omit({ control: true }).extend({
				name: z.enum(['new', 'control']),
				cause: Cause.nullable(),
				fingerprint: z.string().nullable(),
				readyMs: z.number().nullable()
			})
		)
		.optional(),
	/** The new set did not start on a copy, and the present one did. */
	trial: z.literal('bad').optional(),
	/** Id of the backup of the world from before the change. */
	backedUp: z.string().optional(),
	/** Whether the server ran before it was stopped for this; absent while it has not been touched. */
	wasRunning: z.boolean().optional(),
	/** Why it did not run before this: a change that is not to blame for that is not taken back. */
	failing: z
		.object({
			code: z.string(),
			message: z.string(),
			log: z.array(z.string()),
			mods: z.array(z.string())
		})
		.nullable()
		.optional(),
	/** It was down because of this crash: whoever repairs its mods wants it to run again. */
	crash: z.custom<Crash>().nullable().optional(),
	/** Files in `mods/` may have been touched. */
	swapping: z.boolean().optional(),
	/** `digest` of the new set, once it is in place. */
	after: z.string().optional(),
	/** The server may have been started with the new set. */
	launching: z.boolean().optional(),
	/** What was seen of it at that point. */
	opened: z.boolean().optional(),
	ready: z.boolean().optional(),
	answered: z.boolean().optional(),
	crashed: z.boolean().optional(),
	/** The server did not come up healthy with the new set. */
	failed: z.boolean().optional(),
	/** The step after which the server does not run, and the new set stays all the same. */
	kept: z.enum(['restart', 'verify']).nullable().optional(),
	/** It was agreed that the new set is not tried. */
	untried: z.boolean().optional(),
	/** The new set has proven itself: it is no longer rolled back. */
	settled: z.boolean().optional(),
	/** The old set is back in place. */
	restored: z.boolean().optional()
});
export type Checkpoint = z.infer<typeof Checkpoint>;
export type RollbackInfo = NonNullable<Checkpoint['way']>;

export const checkpointOf = ({ checkpoint }: Pick<StepContext, 'checkpoint'>): Checkpoint =>
	Checkpoint.parse(checkpoint);
export const remember = (ctx: StepContext, patch: Checkpoint): Promise<void> => ctx.remember(patch);
