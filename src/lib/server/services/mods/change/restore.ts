import type { ModDifference } from '#schemas/operation';
import type { SnapshotChanges } from '#schemas/snapshot';
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
				const changes = differences(await snapshots.changes(snapshot));
				if (changes.length) await ctx.report({ changes });
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

/** As of any other change of mods. */
const differences = ({ back, away, changed }: SnapshotChanges): ModDifference[] => [
	...changed.map(({ name, from, to }): ModDifference => {
		const versions = { from: null, to: null };
		if (to === 'enabled') return { is: 'enable', title: name, ...versions };
		if (to === 'disabled') return { is: 'disable', title: name, ...versions };
		return { is: 'replace', title: name, from, to };
	}),
	...back.map(({ name, version }): ModDifference => ({
		is: 'add',
		title: name,
		from: null,
		to: version
	})),
	...away.map(({ name, version }): ModDifference => ({
		is: 'remove',
		title: name,
		from: version,
		to: null
	}))
];
