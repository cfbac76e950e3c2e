import type { Plan } from '#schemas/mod';
import type { RegistryVersion } from '#registry';
import type { ModChange } from '../change/index.ts';
import type { Known } from '../known.ts';
import type { Target } from '../target.ts';
import { changeOf, describe, planId } from './describe.ts';
import type { Dependent } from './dependents.ts';
import type { Draft } from './draft.ts';
import type { Jar } from './types.ts';

export type Planned = {
	/** What only the machine can say about its trial is added for people. */
	plan: Omit<Plan, 'trial'>;
	/** Exactly what the plan says; null `planId`. */
	change: ModChange;
	/** Of the registry: what is brought. */
	brings: RegistryVersion[];
	/** Locked mods that it updates, disables or removes. */
	locked: Jar[];
};

type Rest = {
	known: Known;
	target: Target;
	kind: Plan['kind'];
	dependents: Dependent[];
	orphans: Jar[];
	changelogs: Parameters<typeof describe>[1]['changelogs'];
};

export function finish(draft: Draft, { known, target, kind, ...rest }: Rest): Planned {
	const change = changeOf(draft, { kind, files: known.files, target });
	const id = planId(change, draft, target);
	const locked = draft.changes.flatMap((one) => {
		const isHeld = one.is !== 'add' && one.old.locked;
		return isHeld && !(one.is === 'rename' && one.jar.enabled) ? [one.old] : [];
	});
	const brings = draft.changes.flatMap((one) =>
		one.is === 'remove' || one.is === 'rename' ? [] : (one.jar.version ?? [])
	);
	return { plan: describe(draft, { change, id, ...rest }), change, brings, locked };
}
