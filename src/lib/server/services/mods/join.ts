import { installedMods, type RegistryFact, type Satisfies } from './installed/index.ts';
import type { Known } from './known.ts';
import { mayHaveContent } from './plan/index.ts';
import type { Join } from './reader.ts';
import { iconUrl } from './search.ts';

/** What is known of the files, as they are shown. */
export const createJoin =
	(satisfies: Satisfies): Join =>
	(known) =>
		installedMods(
			known.files,
			known.server,
			factsOf(known),
			(mod) => ({ locked: known.flags.locked(mod), shareable: known.flags.shareable(mod) }),
			satisfies
		);

function factsOf({ versions, projects }: Pick<Known, 'versions' | 'projects'>) {
	const facts = new Map<string, RegistryFact>();
	for (const [sha512, version] of versions) {
		const { projectId: id } = version;
		const project = projects.get(id);
		facts.set(sha512, {
			// Withdrawn, or not asked for yet.
			project: project
				? {
						...{ id, slug: project.slug, title: project.title, iconUrl: iconUrl(project) },
						...(!mayHaveContent(project.categories) && { contentFree: true as const })
					}
				: { id, slug: id, title: version.name, iconUrl: null },
			versionId: version.id,
			version: version.number,
			side: version.side === 'unknown' ? (project?.side ?? 'unknown') : version.side
		});
	}
	return facts;
}
