import { projectOf, type Jar } from './types.ts';

/**
 * One project that serves in the place of another: QSL's own Fabric API and the Forgified one for Fabric API, Quilt's
 * Kotlin libraries for Fabric's. The mod ids in their order.
 */
export const SUBSTITUTES = new Map<string, { projects: string[]; modIds: string[] }>([
	[
		'P7dR8mSH',
		{
			projects: ['qvIfYCYJ', 'Aqlf1Shp'],
			modIds: ['fabric-api', 'fabric', 'quilted_fabric_api', 'fabric_api']
		}
	],
	[
		'Ha28R6CL',
		{
			projects: ['lwVhp9o5'],
			modIds: ['fabric-language-kotlin', 'quilt_kotlin_libraries']
		}
	]
]);

/** `-` and `_` are the same to people, and between one loader's ids and another's. */
export const foldId = (id: string) => id.toLowerCase().replaceAll('_', '-');

/** The ids that a jar answers to, with those of jars within it. */
export function provided(jar: Jar): Set<string> {
	const mods = jar.metadata ?? [];
	const ids = [...jar.presumed, ...mods.flatMap(({ modId, provides }) => [modId, ...provides])];
	if (!jar.metadata && jar.modId) ids.push(jar.modId);
	return new Set(ids.map(foldId));
}

/** The mod ids that two jars must not both have. */
export const ownIds = (jar: Pick<Jar, 'metadata'>) =>
	(jar.metadata ?? []).filter(({ nested }) => !nested).map(({ modId }) => foldId(modId));

/** What its own metadata needs on a server. */
const requiredIds = (jar: Jar) =>
	(jar.metadata ?? [])
		.filter(({ nested }) => !nested)
		.flatMap(({ dependencies }) => dependencies)
		.filter(({ kind, side }) => kind === 'required' && side !== 'client')
		.map(({ modId }) => foldId(modId));

/** Whether a jar is this project, stands for it, or carries it inside. */
export const servesProject = (jar: Jar, projectId: string, slug: string | null) => {
	const own = projectOf(jar);
	if (own === projectId) return true;
	const substitutes = SUBSTITUTES.get(projectId);
	if (own !== null && substitutes?.projects.includes(own)) return true;
	const embeds = jar.version?.dependencies.some(
		(dependency) => dependency.kind === 'embedded' && dependency.projectId === projectId
	);
	if (embeds) return true;
	const ids = provided(jar);
	return [...(slug ? [slug] : []), ...(substitutes?.modIds ?? [])].some((id) =>
		ids.has(foldId(id))
	);
};

/** Whether `jar` needs `other`, by its own metadata or by what the registry says of it. */
export const needs = (jar: Jar, other: Jar) => saysNeeds(jar, other) || registryNeeds(jar, other);

export function saysNeeds(jar: Jar, other: Jar) {
	const ids = provided(other);
	return requiredIds(jar).some((id) => ids.has(id));
}

export function registryNeeds(jar: Jar, other: Jar) {
	const slug = other.project?.slug ?? null;
	return (jar.version?.dependencies ?? []).some(
		(dependency) =>
			dependency.kind === 'required' &&
			dependency.projectId !== null &&
			servesProject(
				other,
				dependency.projectId,
				projectOf(other) === dependency.projectId ? slug : null
			)
	);
}
