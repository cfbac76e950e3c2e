import type { Registry, RegistryFile } from '#registry';

/** The data behind the plan does not prove that it is still true. */
const ANEW = { anew: true };

/** Those of these files that the registry does not offer to everybody any more: their version, or the whole project. */
export const createWithdrawn =
	(registry: Pick<Registry, 'byHash' | 'projects'>) =>
	async (files: RegistryFile[]): Promise<RegistryFile[]> => {
		const versions = await registry.byHash(
			files.map(({ sha512 }) => sha512),
			ANEW
		);
		const ids = new Set([...versions.values()].map(({ projectId }) => projectId));
		const projects = await registry.projects([...ids], ANEW);
		const listed = new Set(projects.filter((one) => one.listed).map(({ id }) => id));
		return files.filter(({ sha512 }) => {
			const version = versions.get(sha512);
			return !version?.listed || !listed.has(version.projectId);
		});
	};
