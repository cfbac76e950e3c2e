import type { Loader } from '#schemas/mod';
import type { ModFile, JarMod } from '#minecraft/mods';
import type { ModServer } from './types.ts';

/** One file, seen from this server. */
export type Entry = {
	file: ModFile;
	/** Every mod that the jar itself describes, for whatever loader. */
	described: JarMod[];
	/** Those that this server's loader would load; the first is the jar's main one. */
	own: JarMod[];
	/** With those in jars within. */
	all: JarMod[];
	/** The loader cannot use it. */
	foreign: boolean;
	/** Enabled, readable and for this loader: it takes part in dependencies. */
	active: boolean;
	/** The loader skips it on a server, with everything in it (Fabric and Quilt do). */
	skipped: boolean;
};

/** Sinytra Connector, which loads Fabric's mods on Forge and NeoForge. */
const CONNECTORS = ['connector', 'connectormod'];
const ANY: Loader[] = ['fabric', 'quilt', 'neoforge', 'forge'];
/** Until then NeoForge read Forge's file, and mods that say nothing else run on it. */
const NEOFORGE_OWN_FILE = [1, 20, 5];
/** Before that mods could describe themselves in their code alone. */
const FORGE_TOML = [1, 13];

export function entriesOf(files: ModFile[], server: ModServer) {
	const plain = loadersOf(server);
	const connector =
		(server.loader === 'forge' || server.loader === 'neoforge') &&
		files.some(
			({ enabled, facts }) =>
				enabled && facts.ok && facts.mods.some(({ modId }) => CONNECTORS.includes(modId))
		);
	const loaders: Loader[] | null = connector ? [...plain!, 'fabric'] : plain;
	return { entries: files.map((file) => entryOf(file, server, loaders)), connector };
}

/** Whose mods this server loads, its own first. Null: it is not known which loader it has. */
function loadersOf({ loader, gameVersion }: ModServer): Loader[] | null {
	if (loader === 'fabric' || loader === 'forge') return [loader];
	if (loader === 'quilt') return ['quilt', 'fabric'];
	if (loader === 'neoforge')
		return isBefore(gameVersion, NEOFORGE_OWN_FILE) ? ['neoforge', 'forge'] : ['neoforge'];
	return loader === null ? null : [];
}

function entryOf(file: ModFile, server: ModServer, loaders: Loader[] | null): Entry {
	const { facts } = file;
	const mods = facts.ok ? facts.mods : [];
	const described = mods.filter(({ nested }) => !nested);
	const order = loaders ?? ANY;
	const main = order.find((loader) => described.some((mod) => mod.loader === loader));
	const own = described.filter(({ loader }) => loader === main);
	const nested = mods.filter((mod) => mod.nested && order.includes(mod.loader));
	const foreign = facts.ok && loaders !== null && own.length === 0 && !belongs(file, server);
	return {
		file,
		described,
		own,
		all: [...own, ...nested],
		foreign,
		active: file.enabled && facts.ok && !foreign,
		skipped:
			own.length > 0 &&
			own.every(
				({ side, loader }) => side === 'client' && (loader === 'fabric' || loader === 'quilt')
			)
	};
}

/** Not a mod, but in the right place all the same. */
function belongs({ facts }: ModFile, { loader, gameVersion }: ModServer) {
	if (!facts.ok || facts.plugin || (loader !== 'forge' && loader !== 'neoforge')) return false;
	if (facts.library || facts.mods.some(({ nested }) => nested)) return true;
	return facts.mods.length === 0 && isBefore(gameVersion, FORGE_TOML);
}

/** A file's name within a sentence: anyone may have chosen it. */
export const shownName = (fileName: string) => fileName.replace(/\p{C}/gu, '').slice(0, 100);

/** False when the version is unknown or not a release. */
export function isBefore(gameVersion: string | null, release: number[]): boolean {
	const parts = /^\d+(?:\.\d+)+/
		.exec(gameVersion ?? '')?.[0]
		.split('.')
		.map(Number);
	if (!parts) return false;
	for (const [i, part] of release.entries())
		if ((parts[i] ?? 0) !== part) return (parts[i] ?? 0) < part;
	return false;
}
