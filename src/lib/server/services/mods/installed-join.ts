import { installedMods, type RegistryFact, type Satisfies } from './installed.ts';
import type { Known } from './known.ts';
import type { Join } from './reader.ts';
import { iconUrl } from './search.ts';

/** Joins the files with what the registry and people say of them. */
export const joinInstalled =
	(satisfies: Satisfies): Join =>
	({ files, server, versions, projects, flags }) =>
		installedMods(
			files,
			server,
			factsOf({ versions, projects }),
			(file) => ({ locked: flags.locked(file), shareable: flags.shareable(file) }),
			satisfies
		);

function factsOf({ versions, projects }: Pick<Known, 'versions' | 'projects'>) {
	const facts = new Map<string, RegistryFact>();
	for (const [sha512, version] of versions) {
		const project = projects.get(version.projectId);
		if (!project) continue;
		facts.set(sha512, {
			project: {
				id: project.id,
				slug: project.slug,
				title: project.title,
				iconUrl: iconUrl(project)
			},
			versionId: version.id,
			version: version.number,
			side: version.side === 'unknown' ? project.side : version.side
		});
	}
	return facts;
}
