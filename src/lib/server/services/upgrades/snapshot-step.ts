import type { StepContext, StepPlan } from '#operations';
import { checkpointOf, remember } from './checkpoint.ts';
import type { Deps } from './types.ts';

/** The mods and their configuration, for the rollback. `subject`: for what, in words. */
export const snapshotStep = (
	{ snapshots }: Pick<Deps, 'snapshots'>,
	by: string,
	subject: (ctx: StepContext) => string
): StepPlan => ({
	id: 'snapshot',
	label: 'Take a snapshot',
	afterCrash: 'resume',
	async run(ctx) {
		if (checkpointOf(ctx).snapshot) return;
		const { id } = await snapshots.take({
			...{ reason: 'upgrade', operationId: ctx.id, by },
			subject: subject(ctx)
		});
		await remember(ctx, { snapshot: id });
	},
	async undo(ctx) {
		const { snapshot } = checkpointOf(ctx);
		if (snapshot) await snapshots.drop(snapshot);
	}
});
