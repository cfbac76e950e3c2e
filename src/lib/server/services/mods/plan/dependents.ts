import type { Mod } from '#schemas/mod';
import { active, type Draft } from './draft.ts';
import { registryNeeds, saysNeeds } from './requirements.ts';
import { lookAt, type Rules } from './set.ts';
import type { Jar } from './types.ts';

/** A mod that would not load any more, and what it would miss. */
export type Dependent = { jar: Jar; needs: Jar };
type Sets = { after: Jar[]; gone: Jar[] };

/** What goes and this mod needs, by its own words, while nothing that stays can stand in. */
export const lostBySelf = (mod: Mod, old: Mod, gone: Jar[]): Jar[] =>
	mod.requires.flatMap(({ modId, satisfiedBy }) => {
		const by = old.requires.find((one) => one.modId === modId)?.satisfiedBy;
		return satisfiedBy === null && by ? gone.filter(({ fileName }) => fileName === by) : [];
	});

/** The same by what only the registry says of it. */
export const lostByRegistry = (jar: Jar, { after, gone }: Sets): Jar[] =>
	after.some((one) => one !== jar && registryNeeds(jar, one))
		? []
		: gone.filter((other) => registryNeeds(jar, other) && !saysNeeds(jar, other));

/** Everything that cannot stay without what the draft removes, and what in turn cannot stay without that. */
export function findDependents(draft: Draft, rules: Rules): Dependent[] {
	const before = active(draft.installed);
	const was = lookAt(draft.installed, rules);
	const found: Dependent[] = [];
	for (;;) {
		const left = draft.after().filter((jar) => !found.some((one) => one.jar === jar));
		const after = active(left);
		const gone = before.filter((jar) => !after.includes(jar));
		const more = [...lookAt(left, rules)].flatMap(([jar, mod]) => {
			if (!after.includes(jar) || !before.includes(jar)) return [];
			const [needs] = [
				...lostBySelf(mod, was.get(jar)!, gone),
				...(jar.metadata === null ? lostByRegistry(jar, { after, gone }) : [])
			];
			return needs ? [{ jar, needs }] : [];
		});
		if (!more.length) return found;
		found.push(...more);
	}
}
