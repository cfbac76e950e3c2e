import { z } from 'zod';
import type { Mod } from '../mod.ts';
import type { Operation } from '../operation.ts';
import { listed } from '../plain/words/listed.ts';
import { isNamed, type ModTitles } from '../plain/mod-titles.ts';

const Upgraded = z.object({
	target: z.object({ gameVersion: z.string() }),
	change: z.object({ rename: z.array(z.object({ from: z.string(), to: z.string() })) })
});

/** The same upgrade without the mods that it failed because of: they are parked, as those that were parked for it. */
export type Without = { gameVersion: string; park: string[]; title: string };
const NAMED_MAX = 2;

/** Null where nothing is named, or what is named would not be there either. */
export function upgradeWithout(
	{ kind, state, cause, steps }: Pick<Operation, 'kind' | 'state' | 'cause' | 'steps'>,
	input: unknown,
	{ installed, titles }: { installed: Mod[]; titles: ModTitles }
): Without | null {
	const asked = Upgraded.safeParse(input).data;
	const hasBooted = steps.some(
		({ id, status }) => status === 'failed' && ['trial', 'restart', 'verify'].includes(id)
	);
	if (kind !== 'upgrade' || state === 'succeeded' || !asked || !hasBooted) return null;
	const enabled = installed.filter((mod) => mod.enabled);
	const named = enabled.filter((mod) =>
		cause?.mods.some((id) => isNamed(id, mod) || titles[id] === mod.name)
	);
	if (!named.length) return null;
	const before = asked.change.rename.map(({ from }) => from);
	const parked = enabled.filter(({ fileName }) => before.includes(fileName));
	const park = new Set([...parked, ...named].map(({ fileName }) => fileName));
	return {
		gameVersion: asked.target.gameVersion,
		park: [...park],
		title: listed(
			named.map(({ name }) => name),
			NAMED_MAX
		)
	};
}
