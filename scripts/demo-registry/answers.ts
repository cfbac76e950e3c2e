import type { Store } from './store.ts';
import type { Project, StoredFile, Version } from './types.ts';

/** The forms in which the API shows things. `origin` is where icons are. */

const iconUrl = ({ id, icon }: Project, origin: string) =>
	icon === true ? `${origin}/data/${id}/icon.png` : icon === false ? null : icon;

const newestOf = (store: Store, project: Project) =>
	store.versionsOf(project.id).filter(({ status }) => status === 'listed');

/** The real one writes microseconds. */
const micros = (iso: string) => iso.replace(/(\.\d{3})?Z$/, (_, ms = '.000') => `${ms}000Z`);

const shared = (store: Store, project: Project, origin: string) => {
	const versions = newestOf(store, project);
	const environment = project.environment ? { environment: project.environment } : {};
	return {
		facts: {
			slug: project.slug,
			title: project.title,
			description: project.description,
			project_type: project.projectType,
			downloads: project.downloads,
			icon_url: iconUrl(project, origin),
			client_side: project.clientSide,
			server_side: project.serverSide,
			...environment,
			gallery: []
		},
		versions,
		loaders: [...new Set(versions.flatMap(({ loaders }) => loaders))],
		gameVersions: [...new Set(versions.flatMap(({ gameVersions }) => gameVersions))],
		updated: micros(versions[0]?.publishedAt ?? project.published)
	};
};

export function projectAnswer(store: Store, project: Project, origin: string) {
	const { facts, versions, loaders, gameVersions, updated } = shared(store, project, origin);
	return {
		...facts,
		id: project.id,
		team: 'demoTeam',
		organization: null,
		body: project.body,
		body_url: null,
		published: micros(project.published),
		updated,
		approved: micros(project.published),
		queued: null,
		status: project.status,
		requested_status: null,
		moderator_message: null,
		license: { id: project.license, name: `${project.license} License`, url: null },
		followers: project.follows,
		categories: project.categories,
		additional_categories: [],
		game_versions: gameVersions,
		loaders,
		versions: versions.map(({ id }) => id).reverse(),
		issues_url: null,
		source_url: `https://example.org/${project.slug}`,
		wiki_url: null,
		discord_url: null,
		donation_urls: [],
		color: null,
		thread_id: project.id,
		monetization_status: 'monetized'
	};
}

export function hitAnswer(store: Store, project: Project, origin: string) {
	const { facts, versions, loaders, gameVersions, updated } = shared(store, project, origin);
	return {
		...facts,
		project_id: project.id,
		all_project_types: [project.projectType],
		author: project.author,
		categories: [...loaders, ...project.categories],
		display_categories: [...loaders, ...project.categories],
		versions: gameVersions,
		follows: project.follows,
		date_created: micros(project.published).replace('Z', '+00:00'),
		date_modified: updated.replace('Z', '+00:00'),
		latest_version: versions[0]?.id ?? '',
		license: project.license,
		featured_gallery: null,
		color: null
	};
}

export const versionAnswer = (version: Version, changelog = true) => ({
	game_versions: version.gameVersions,
	loaders: version.loaders,
	...(version.environment ? { environment: version.environment } : {}),
	id: version.id,
	project_id: version.projectId,
	author_id: 'demoUser',
	featured: false,
	name: version.name,
	version_number: version.number,
	changelog: changelog ? version.changelog : '',
	changelog_url: null,
	date_published: micros(version.publishedAt),
	downloads: 100,
	version_type: version.channel,
	status: version.status,
	requested_status: null,
	files: version.files.map(fileAnswer),
	dependencies: version.dependencies.map((one) => ({
		version_id: one.versionId ?? null,
		project_id: one.projectId ?? null,
		file_name: one.fileName ?? null,
		dependency_type: one.kind ?? 'required'
	}))
});

const fileAnswer = (file: StoredFile) => ({
	hashes: { sha1: file.sha1, sha512: file.sha512 },
	url: file.url,
	filename: file.name,
	primary: file.primary,
	size: file.size,
	file_type: file.fileType
});
