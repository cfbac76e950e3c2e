import type { Channel } from '#schemas/mod';
import { AppError } from '#core/errors';
import { createSerial } from '#core/serial';
import type { Registry, RegistryProject, RegistryVersion } from '#registry';
import type { Target } from '../target.ts';

export type Loadable = RegistryVersion & { file: NonNullable<RegistryVersion['file']> };

/** What one plan asks of the registry, each thing once; `known` are projects that need not be asked for. */
export interface Catalogue {
	/** Bulk; unknown ones are absent. A slug finds its project too. */
	projects(ids: string[]): Promise<void>;
	project(id: string): RegistryProject | null;
	/** Whether the registry offers this project to everybody; asked for before. */
	listed(projectId: string): boolean;
	/** Exact versions, bulk; withdrawn ones are absent. */
	versions(ids: string[]): Promise<Map<string, RegistryVersion>>;
	/** What this server can load, newest first. */
	compatible(projectId: string): Promise<Loadable[]>;
	/** The same with their changelogs. */
	changelogs(projectId: string): Promise<RegistryVersion[]>;
	/** Its project is asked for before. */
	fits(version: RegistryVersion): version is Loadable;
}

/** Beside those of the installed mods. The largest packs have some 400, and most of those need nothing else. */
const PROJECTS_MAX = 200;
/** The registry's own queue keeps its rate; this keeps it short. */
const AT_ONCE = 6;

const RANK: Record<Channel, number> = { release: 0, beta: 1, alpha: 2 };

/** The most stable one available, and of those the newest. */
export const best = (versions: Loadable[]) =>
	versions.reduce<Loadable | null>(
		(found, one) => (!found || RANK[one.channel] < RANK[found.channel] ? one : found),
		null
	);

export const newestFirst = <V extends { publishedAt: string }>(versions: V[]) =>
	[...versions].sort((a, b) => Date.parse(b.publishedAt) - Date.parse(a.publishedAt));

export function createCatalogue(
	registry: Pick<Registry, 'projects' | 'versions' | 'versionsOf'>,
	target: Target,
	known: ReadonlyMap<string, RegistryProject>
): Catalogue {
	const projects = new Map<string, RegistryProject | null>(known);
	for (const project of known.values()) projects.set(project.slug, project);
	let asking = 0;
	const versions = new Map<string, RegistryVersion | null>();
	const lists = new Map<string, Promise<Loadable[]>>();
	const requests = createSerial({ atOnce: AT_ONCE });
	const filter = { loaders: target.loaders, gameVersion: target.gameVersion };

	const listed = (projectId: string) => projects.get(projectId)?.listed ?? false;
	const fits = (version: RegistryVersion): version is Loadable =>
		version.listed &&
		listed(version.projectId) &&
		version.file !== null &&
		version.gameVersions.includes(target.gameVersion) &&
		version.loaders.some((loader) => target.loaders.includes(loader));

	return {
		async projects(ids) {
			const asked = [...new Set(ids)].filter((id) => !projects.has(id));
			if (!asked.length) return;
			asking += asked.length;
			if (asking > PROJECTS_MAX)
				throw new AppError(
					'invalid',
					`This needs more than ${PROJECTS_MAX} projects of the registry. Do it in smaller steps.`
				);
			for (const id of asked) projects.set(id, null);
			for (const project of await registry.projects(asked)) {
				projects.set(project.id, project);
				if (projects.has(project.slug)) projects.set(project.slug, project);
			}
		},
		project: (id) => projects.get(id) ?? null,
		listed,
		async versions(ids) {
			const asked = [...new Set(ids)].filter((id) => !versions.has(id));
			for (const id of asked) versions.set(id, null);
			if (asked.length)
				for (const version of await registry.versions(asked)) versions.set(version.id, version);
			const wanted = ids.flatMap((id) => versions.get(id) ?? []);
			return new Map(wanted.map((version) => [version.id, version]));
		},
		compatible(projectId) {
			let list = lists.get(projectId);
			if (!list) {
				list = requests.run(async () =>
					newestFirst((await registry.versionsOf(projectId, filter)).filter(fits))
				);
				lists.set(projectId, list);
			}
			return list;
		},
		changelogs: (projectId) =>
			requests.run(() => registry.versionsOf(projectId, { ...filter, changelogs: true })),
		fits
	};
}
