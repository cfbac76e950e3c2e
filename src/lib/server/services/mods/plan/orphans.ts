import { active, type Draft } from './draft.ts';
import { needs } from './requirements.ts';
import type { Jar } from './types.ts';

/** Libraries that something needed before, and nothing would after the plan. Locked ones stay. */
export function findOrphans(draft: Draft): Jar[] {
	const before = active(draft.installed);
	const orphans: Jar[] = [];
	for (;;) {
		const left = active(draft.after()).filter((jar) => !orphans.includes(jar));
		const found = left.find(
			(jar) =>
				before.includes(jar) &&
				isLibrary(jar) &&
				!jar.locked &&
				before.some((other) => other !== jar && !left.includes(other) && needs(other, jar)) &&
				!left.some((other) => other !== jar && needs(other, jar))
		);
		if (!found) return orphans;
		orphans.push(found);
	}
}

/** Something that is not installed for its own sake. */
export const isLibrary = ({ library, project }: Jar) =>
	library || (project?.categories.includes('library') ?? false);
