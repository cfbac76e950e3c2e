import type { Countdown, StepPlan } from '#operations';
import { begin, refuse, shared } from './common.ts';
import { digest } from './set.ts';
import type { Tools } from './tools.ts';

/** `countdown`: before a running server is stopped for it. */
export type RestoreInput = { snapshot: string; by: string; countdown?: Countdown };

/** Restoring a snapshot is a change like any other: it takes a snapshot first, is verified, and can be rolled back. */
export function restoreSteps({ snapshot, by, countdown }: RestoreInput, tools: Tools): StepPlan[] {
	const { snapshots } = tools;
	const steps = shared(tools, { by, serverNeeded: true, change: null });
	/** What a server had twice it gets twice, but a locked mod is never put out of use that way. */
	const check = async () => {
		refuse(await tools.untouchable());
		refuse(await snapshots.problem(snapshot));
		const { locked, others } = await tools.twins(snapshot);
		refuse(locked);
		return others;
	};
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
				const twice = await check();
				if (twice) ctx.detail(twice);
			}
		},
		steps.snapshot('restore', `the snapshot ${snapshot}`),
		...steps.countdown(countdown),
		steps.swap(() => ({
			prepare: async () => void (await check()),
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
