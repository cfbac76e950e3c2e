import type { StepPlan } from '#operations';
import { begin, refuse, shared } from './common.ts';
import type { Tools } from './tools.ts';
import { digest } from './set.ts';

export type RestoreInput = { snapshot: string; by: string };

/** Restoring a snapshot is a change like any other: it takes a snapshot first, is verified, and can be rolled back. */
export function restoreSteps({ snapshot, by }: RestoreInput, tools: Tools): StepPlan[] {
	const { snapshots } = tools;
	const steps = shared(tools, { by, serverNeeded: true });
	const check = async () => refuse(await snapshots.problem(snapshot));
	return [
		{
			id: 'lookup',
			label: 'Check the snapshot',
			cancellable: true,
			afterCrash: 'resume',
			async run(ctx) {
				const before = digest(await tools.current());
				const what = 'The snapshot';
				await begin(ctx, tools, { by, what, verb: 'changed', old: null, before });
				await check();
			}
		},
		steps.snapshot('restore'),
		steps.swap(() => ({
			prepare: check,
			async touch() {
				await snapshots.putBack(snapshot);
				tools.changed();
			}
		})),
		steps.restart(),
		steps.verify(),
		tools.modpack()
	];
}
