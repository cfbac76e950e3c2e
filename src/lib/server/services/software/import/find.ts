import type { PackChoice, PackHit } from '#schemas/software/software';
import { AppError } from '#core/errors';
import type { ImportDeps } from './types.ts';

const HITS = 10;
const VERSIONS_MAX = 100;
const LOADERS = ['fabric', 'forge', 'neoforge'];

/** Packs in the registry that can be imported here. */
export async function findPacks(q: string, deps: Pick<ImportDeps, 'registry'>): Promise<PackHit[]> {
	const registry = await deps.registry();
	const input = { kind: 'modpack' as const, q, offset: 0, limit: HITS, sort: 'relevance' };
	const { hits } = await registry.search({ ...input, loaders: LOADERS, gameVersion: null });
	return hits.map(({ id: projectId, title, description, author, downloads }) => ({
		...{ projectId, title, description, author: author ?? '', downloads }
	}));
}

/** One of them with its versions, newest first. */
export async function packChoice(
	projectId: string,
	deps: Pick<ImportDeps, 'registry'>
): Promise<PackChoice> {
	const registry = await deps.registry();
	const [[project], all] = await Promise.all([
		registry.projects([projectId]),
		registry.packsOf(projectId)
	]);
	if (!project?.listed)
		throw new AppError('not-found', 'The registry has no such pack (any more).');
	const versions = all.filter(
		({ loaders }) => !loaders.includes('quilt') || loaders.some((one) => LOADERS.includes(one))
	);
	return {
		projectId: project.id,
		title: project.title,
		versions: versions
			.slice(0, VERSIONS_MAX)
			.map(({ id, number, name, gameVersions, loaders }) => ({
				...{ id, number, name, gameVersions, loaders }
			}))
	};
}
