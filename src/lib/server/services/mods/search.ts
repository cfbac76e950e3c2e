import type { ModHit, ModHits, ModProject, ModSearch, ModVersion } from '#schemas/mod';
import { AppError } from '#core/errors';
import type { Registry, RegistryProject, RegistryVersion } from '#registry';
import type { Known } from './known.ts';
import type { FailedVersion, FailedVersions } from './failures/index.ts';
import { newestFirst } from './plan/index.ts';
import { loadersFor } from './target.ts';

type Deps = {
	registry: Pick<Registry, 'search' | 'projects' | 'versionsOf'>;
	failures: Pick<FailedVersions, 'ofProjects'>;
};

/** A project may have thousands; the old ones are on its own page in the registry. */
const VERSIONS_MAX = 200;

/** Searches the registry for what this server can load. */
export function createSearch({ registry, failures }: Deps) {
	return {
		async search(asked: ModSearch, known: Known): Promise<ModHits> {
			const { gameVersion, loader } = known.server;
			const loaders = loadersFor(loader);
			if (!loaders.length)
				throw new AppError('conflict', 'This server has no mod loader, so it cannot load mods.', {
					code: 'no-loader'
				});
			const { total, hits } = await registry.search({ ...asked, loaders, gameVersion });
			const installed = installedProjects(known);
			const failed = await failures.ofProjects(known.server);
			const { offset, limit } = asked;
			const found = hits.map((hit) => ({
				...hitOf(hit, installed),
				...failedHere(failed.get(hit.id), known)
			}));
			return { offset, limit, total, hits: found };
		},
		async project(id: string, known: Known): Promise<ModProject> {
			const [project] = await registry.projects([id]);
			if (!project) throw new AppError('not-found', 'The registry has no such project.');
			if (!project.listed)
				throw new AppError('not-found', `The registry does not list ${project.title} publicly.`, {
					code: 'not-listed'
				});
			const all = await registry.versionsOf(project.id);
			const { body, license, sourceUrl, issuesUrl } = project;
			const versions = newestFirst(all).flatMap((version) => versionOf(version, known));
			return {
				...hitOf(project, installedProjects(known)),
				...{ body, license, sourceUrl, issuesUrl },
				versions: [
					...versions.filter(({ compatible }) => compatible),
					...versions.filter(({ compatible }) => !compatible)
				].slice(0, VERSIONS_MAX)
			};
		}
	};
}

/** Our own endpoint: browsers never speak to the registry. */
export const iconUrl = ({ id, hasIcon }: Pick<RegistryProject, 'id' | 'hasIcon'>) =>
	hasIcon ? `/api/mods/icons/${id}` : null;

/** Project to file; of several files the enabled one. */
function installedProjects({ files, versions }: Known) {
	const found = new Map<string, string>();
	for (const { sha512, fileName, enabled } of files) {
		const version = sha512 === null ? undefined : versions.get(sha512);
		if (version && (enabled || !found.has(version.projectId)))
			found.set(version.projectId, fileName);
	}
	return found;
}

const hitOf = (project: RegistryProject, installed: Map<string, string>): ModHit => ({
	projectId: project.id,
	slug: project.slug,
	title: project.title,
	description: project.description,
	author: project.author ?? '',
	downloads: project.downloads,
	updatedAt: project.updatedAt && new Date(project.updatedAt).toISOString(),
	clientSide: project.clientSide,
	serverSide: project.serverSide,
	side: project.side,
	iconUrl: iconUrl(project),
	categories: project.categories,
	installed: installed.get(project.id) ?? null
});

/** Nothing once that version, or one that came after its failure, is installed. */
function failedHere(failed: FailedVersion | undefined, known: Known): Pick<ModHit, 'failedHere'> {
	if (!failed) return {};
	const isSettled = known.files.some(({ sha512 }) => {
		const version = known.versions.get(sha512 ?? '');
		return (
			version?.projectId === failed.projectId &&
			(version.id === failed.versionId || Date.parse(version.publishedAt) > Date.parse(failed.at))
		);
	});
	if (isSettled) return {};
	const { version, certain, ready } = failed;
	return { failedHere: { version, certain, ...(ready && { ready }) } };
}

function versionOf(version: RegistryVersion, { server, files }: Known): ModVersion[] {
	const { file, gameVersions, loaders } = version;
	if (!file || !version.listed) return [];
	const own = loadersFor(server.loader);
	return [
		{
			versionId: version.id,
			version: version.number,
			name: version.name,
			channel: version.channel,
			publishedAt: new Date(version.publishedAt).toISOString(),
			gameVersions,
			loaders,
			fileName: file.fileName,
			size: file.size,
			changelog: version.changelog,
			compatible:
				loaders.some((loader) => own.includes(loader)) &&
				server.gameVersion !== null &&
				gameVersions.includes(server.gameVersion),
			installed: files.some(({ sha512 }) => sha512 === file.sha512)
		}
	];
}
