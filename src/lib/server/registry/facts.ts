import type { Channel, Side } from '#schemas/mod';
import { isJarName, safeJarName } from './file-names.ts';
import { sideOfEnvironment, sideOfSupport } from './sides.ts';
import type { WireFile, WireHit, WireProject, WireVersion } from './api-schemas.ts';

export type RegistryFile = {
	url: string;
	/** Safe to write (`SafeJarName`), even when the author's name is not. */
	fileName: string;
	size: number;
	sha1: string;
	sha512: string;
};

export type RegistryVersion = {
	id: string;
	projectId: string;
	name: string;
	number: string;
	channel: Channel;
	/** ISO, in UTC. */
	publishedAt: string;
	gameVersions: string[];
	loaders: string[];
	/** Publicly offered; anything else is never installed. */
	listed: boolean;
	/** Markdown by the author: hostile text. */
	changelog: string | null;
	/**
	 * The primary jar, else the first; from `byHash`, exactly the jar that was asked for. Null when there is no
	 * usable one.
	 */
	file: RegistryFile | null;
	dependencies: {
		versionId: string | null;
		projectId: string | null;
		fileName: string | null;
		kind: 'required' | 'optional' | 'incompatible' | 'embedded';
	}[];
	/** `unknown` unless the version itself says; the project may know. */
	side: Side;
};

/** A version of a pack. */
export type RegistryPack = Pick<
	RegistryVersion,
	'id' | 'name' | 'number' | 'channel' | 'publishedAt' | 'gameVersions' | 'loaders'
> & {
	/** Its `.mrpack`. */
	file: RegistryFile;
};

export type RegistryProject = {
	id: string;
	slug: string;
	title: string;
	description: string;
	/** Markdown by the author; empty in search results. */
	body: string;
	author: string | null;
	downloads: number;
	updatedAt: string | null;
	clientSide: string;
	serverSide: string;
	side: Side;
	hasIcon: boolean;
	categories: string[];
	/**
	 * Of all its versions, for any loader: it proves that there is nothing for a game version, never that there is
	 * something. Empty in search results and in what is cached on disk.
	 */
	gameVersions: string[];
	license: string | null;
	sourceUrl: string | null;
	issuesUrl: string | null;
	/** Offered to everybody; of anything else, nothing is installed. */
	listed: boolean;
};

const OFFERED_VERSIONS = new Set(['listed', 'archived']);
const OFFERED_PROJECTS = new Set(['approved', 'archived']);
/** Not for playing: sources, signatures, resource packs. */
const PLAYABLE_TYPES = new Set([null, 'unknown', 'primary']);
const OTHER_JAR = /[-.](?:sources?|dev|javadoc|api-docs)\.jar$/i;

export function toVersion(wire: WireVersion, sha512?: string): RegistryVersion {
	const ids = { projectId: wire.project_id, versionId: wire.id };
	const file = sha512
		? wire.files.find(({ hashes }) => hashes.sha512 === sha512)
		: chooseFile(wire.files);
	return {
		id: wire.id,
		projectId: wire.project_id,
		name: wire.name || wire.version_number,
		number: wire.version_number,
		channel: wire.version_type,
		publishedAt: wire.date_published,
		gameVersions: wire.game_versions,
		loaders: wire.loaders,
		listed: OFFERED_VERSIONS.has(wire.status),
		changelog: wire.changelog?.trim() ? wire.changelog : null,
		file: file
			? {
					url: file.url,
					fileName: safeJarName(file.filename, ids),
					size: file.size,
					...file.hashes
				}
			: null,
		dependencies: wire.dependencies.map((one) => ({
			versionId: one.version_id,
			projectId: one.project_id,
			fileName: one.file_name,
			kind: one.dependency_type
		})),
		side: sideOfEnvironment(wire.environment)
	};
}

/** Null when it offers no pack. */
export function toPack(wire: WireVersion): RegistryPack | null {
	const packs = wire.files.filter(({ filename }) => /\.mrpack$/i.test(filename));
	const file = packs.find(({ primary }) => primary) ?? packs[0];
	const { id, name, number, channel, publishedAt, gameVersions, loaders, listed } = toVersion(wire);
	if (!file || !listed) return null;
	const { url, size, hashes } = file;
	return {
		...{ id, name, number, channel, publishedAt, gameVersions, loaders },
		file: { url, size, ...hashes, fileName: `${id}.mrpack` }
	};
}

function chooseFile(files: WireFile[]): WireFile | undefined {
	const jars = files.filter(
		({ filename, file_type }) => isJarName(filename) && PLAYABLE_TYPES.has(file_type)
	);
	return (
		jars.find(({ primary }) => primary) ??
		jars.find(({ filename }) => !OTHER_JAR.test(filename)) ??
		undefined
	);
}

const sideOf = (wire: Pick<WireProject, 'environment' | 'client_side' | 'server_side'>) => {
	const side = sideOfEnvironment(wire.environment);
	return side === 'unknown' ? sideOfSupport(wire.client_side, wire.server_side) : side;
};

const shared = (wire: WireProject | WireHit, id: string) => ({
	id,
	slug: wire.slug ?? id,
	title: wire.title || id,
	description: wire.description,
	downloads: wire.downloads,
	clientSide: wire.client_side,
	serverSide: wire.server_side,
	side: sideOf(wire),
	hasIcon: !!wire.icon_url
});

export const toProject = (wire: WireProject): RegistryProject => ({
	...shared(wire, wire.id),
	body: wire.body,
	author: null,
	updatedAt: wire.updated,
	gameVersions: wire.game_versions,
	categories: [...new Set([...wire.categories, ...wire.additional_categories])],
	license: wire.license ? wire.license.name || wire.license.id || null : null,
	sourceUrl: wire.source_url,
	issuesUrl: wire.issues_url,
	listed: OFFERED_PROJECTS.has(wire.status)
});

export const toHit = (wire: WireHit): RegistryProject => ({
	...shared(wire, wire.project_id),
	body: '',
	gameVersions: [],
	author: wire.author,
	updatedAt: wire.date_modified,
	categories: wire.categories,
	license: wire.license || null,
	sourceUrl: null,
	issuesUrl: null,
	listed: OFFERED_PROJECTS.has(wire.status)
});
