import type { Mod } from '#schemas/mod';
import { AppError } from '#core/errors';
import type { ModFile } from '#minecraft/mods';
import type { RegistryFile, RegistryProject, RegistryVersion } from '#registry';

/** What the pack is made from. */
export type Source = {
	server: { loader: string | null; loaderVersion: string | null; gameVersion: string | null };
	files: ModFile[];
	mods: Mod[];
	/** By sha512. */
	versions: ReadonlyMap<string, RegistryVersion>;
	/** By id. */
	projects: ReadonlyMap<string, RegistryProject>;
	/** Why its information may be incomplete; null when it is complete. */
	registryProblem: string | null;
};

/** One entry of `files` in the index, in the format's own words. */
type IndexFile = {
	path: string;
	hashes: { sha1: string; sha512: string };
	env: { client: 'required'; server: 'required' | 'unsupported' };
	downloads: string[];
	fileSize: number;
};

export type Contents = {
	files: IndexFile[];
	dependencies: Record<string, string>;
	/** Jars that are included in the pack itself; `fileName` is inside `mods/`. */
	overrides: { fileName: string; sha512: string }[];
	/** Of the mods in it. */
	names: string[];
	/** A sentence for each jar that players need and the pack does not contain. */
	warnings: string[];
};

/** The format's names of the loaders. */
const LOADER_KEYS: Record<string, string> = {
	fabric: 'fabric-loader',
	quilt: 'quilt-loader',
	forge: 'forge',
	neoforge: 'neoforge'
};

/** Launchers refuse every other host. */
const HOSTS = ['cdn.modrinth.com', 'github.com', 'raw.githubusercontent.com', 'gitlab.com'];
const CDN = 'https://cdn.modrinth.com';

/**
 * What players need: the enabled mods that are not server-only. AppError `conflict` without a mod loader, `upstream`
 * when the origin of one of them cannot be determined: with an incomplete pack nobody could join.
 */
export function contentsOf(source: Source): Contents {
	const { server, files, mods, versions, registryProblem } = source;
	const dependencies = dependenciesOf(server);
	const contents: Contents = { files: [], dependencies, overrides: [], names: [], warnings: [] };
	const found = new Map(files.map((file) => [file.fileName, file]));
	for (const mod of [...mods].sort(byName)) {
		const file = found.get(mod.fileName);
		if (!file?.regular || !mod.enabled || mod.side === 'server') continue;
		const version = file.sha512 === null ? undefined : versions.get(file.sha512);
		const offered = version?.file && version.file.sha512 === file.sha512 ? version.file : null;
		if (version && offered && isListed(version, source)) {
			contents.files.push(entryOf(mod, version, offered));
			contents.names.push(mod.name);
		} else if (mod.shareable && file.sha512) {
			contents.overrides.push({ fileName: mod.fileName, sha512: file.sha512 });
			contents.names.push(mod.name);
		} else if (version || registryProblem === null) contents.warnings.push(missing(mod, version));
		else
			throw new AppError(
				'upstream',
				`It cannot be told whether ${mod.name} is in the registry, so the pack stays as it was. ${registryProblem}`
			);
	}
	return contents;
}

/** The registry's last answer is used while it cannot be asked. */
const isListed = ({ listed, projectId }: RegistryVersion, { projects, registryProblem }: Source) =>
	listed && (projects.get(projectId)?.listed ?? registryProblem !== null);

const byName = (a: Mod, b: Mod) => (a.fileName < b.fileName ? -1 : 1);

function dependenciesOf({ loader, loaderVersion, gameVersion }: Source['server']) {
	const key = loader === null ? undefined : LOADER_KEYS[loader];
	if (!key)
		throw new AppError('conflict', 'This server has no mod loader, so players need no pack.');
	if (!gameVersion || !loaderVersion)
		throw new AppError(
			'conflict',
			'The version of the game or of its loader is not known yet. Start the server once, then try again.'
		);
	// Forge's own version name may begin with the game's.
	const version = loaderVersion.startsWith(`${gameVersion}-`)
		? loaderVersion.slice(gameVersion.length + 1)
		: loaderVersion;
	return { minecraft: gameVersion, [key]: version };
}

const entryOf = (mod: Mod, version: RegistryVersion, file: RegistryFile): IndexFile => ({
	path: `mods/${mod.fileName}`,
	hashes: { sha1: file.sha1, sha512: file.sha512 },
	env: { client: 'required', server: mod.side === 'client' ? 'unsupported' : 'required' },
	downloads: [publicAddress(version, file)],
	fileSize: file.size
});

/** Players cannot reach our mirror, and their launchers would refuse it: they get the file from its original source. */
function publicAddress({ projectId, id }: RegistryVersion, { url, fileName }: RegistryFile) {
	const { protocol, hostname, pathname } = new URL(url);
	if (protocol === 'https:' && HOSTS.includes(hostname)) return url;
	const name = pathname.split('/').at(-1) || encodeURIComponent(fileName);
	return `${CDN}/data/${projectId}/versions/${id}/${name}`;
}

const missing = ({ name, fileName }: Mod, version: RegistryVersion | undefined) =>
	`${name} (${fileName}) is not ${version ? 'publicly listed in' : 'from'} the registry. A superadmin can mark it as shareable; else players need to be given it.`;
