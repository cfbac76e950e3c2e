import type { Loader, Side } from '#schemas/mod';
import type { Described, JarDependency, JarMod } from './model.ts';
import {
	DEPENDENCIES_MAX,
	DESCRIPTION_MAX_CHARS,
	idOf,
	isObject,
	line,
	listOf,
	NAME_MAX_CHARS,
	objectOf,
	ownOf,
	RANGE_MAX_CHARS,
	VERSION_MAX_CHARS,
	type JsonObject
} from './text.ts';
import { parseToml } from './toml.ts';

const MODS_MAX = 100;
const SIDES = new Map<string, Side>([
	['CLIENT', 'client'],
	['SERVER', 'server']
]);
const JAR_VERSION = '${file.jarVersion}';

/**
 * Parses `mods.toml` and `neoforge.mods.toml`; null when it describes no mod. NeoForge read `mods.toml` too until
 * 1.20.4: a mod that requires NeoForge, and not Forge, is for NeoForge.
 */
export function readModsToml(
	text: string,
	manifest: Map<string, string>,
	file: 'mods.toml' | 'neoforge.mods.toml'
): Described | null {
	const root = parseToml(text);
	if (!root) return null;
	const mods = listOf(root.mods)
		.filter(isObject)
		.slice(0, MODS_MAX)
		.map((mod) => forgeMod(root, mod, manifest, file))
		.filter((mod) => mod !== null);
	return mods.length ? { mods, jars: [] } : null;
}

function forgeMod(
	root: JsonObject,
	mod: JsonObject,
	manifest: Map<string, string>,
	file: 'mods.toml' | 'neoforge.mods.toml'
): JarMod | null {
	const modId = idOf(mod.modId);
	if (modId === null) return null;
	const dependencies = listOf(ownOf(objectOf(root.dependencies), String(mod.modId)))
		.filter(isObject)
		.slice(0, DEPENDENCIES_MAX)
		.flatMap(dependency)
		.concat(javaOf(ownOf(objectOf(root.features), String(mod.modId))));
	return {
		modId,
		name: line(mod.displayName, NAME_MAX_CHARS) ?? modId,
		version: versionOf(mod.version, manifest),
		loader: file === 'neoforge.mods.toml' ? 'neoforge' : loaderOf(dependencies),
		side: sideOf(root, mod),
		provides: [],
		dependencies,
		nested: false,
		description: line(mod.description, DESCRIPTION_MAX_CHARS)
	};
}

function loaderOf(dependencies: JarDependency[]): Loader {
	const needs = (id: string) =>
		dependencies.some(({ modId, kind }) => modId === id && kind === 'required');
	return needs('neoforge') && !needs('forge') ? 'neoforge' : 'forge';
}

function dependency(item: JsonObject): JarDependency[] {
	const modId = idOf(item.modId);
	if (modId === null) return [];
	return [
		{
			modId,
			range: line(item.versionRange, RANGE_MAX_CHARS) ?? '*',
			kind: kindOf(item),
			side: SIDES.get(String(item.side).toUpperCase()) ?? 'both'
		}
	];
}

/** `[features.<mod>]`: what a mod demands of the machine. */
function javaOf(features: unknown): JarDependency[] {
	const range = line(objectOf(features).javaVersion, RANGE_MAX_CHARS);
	return range === null ? [] : [{ modId: 'java', range, kind: 'required', side: 'both' }];
}

/** NeoForge's `type`, Forge's `mandatory`. `discouraged` is worth a line in the log to the loader, no more. */
function kindOf({ type, mandatory }: JsonObject): JarDependency['kind'] {
	const word = typeof type === 'string' ? type.toLowerCase() : '';
	if (word === 'optional' || word === 'discouraged') return 'optional';
	if (word === 'incompatible') return 'incompatible';
	const isWish = String(mandatory).toLowerCase() === 'false';
	return word === '' && isWish ? 'optional' : 'required';
}

function versionOf(value: unknown, manifest: Map<string, string>): string | null {
	const version = line(value, VERSION_MAX_CHARS);
	if (!version?.includes(JAR_VERSION)) return version;
	const built = line(manifest.get('Implementation-Version'), VERSION_MAX_CHARS);
	return (
		built &&
		line(
			version.replaceAll(JAR_VERSION, () => built),
			VERSION_MAX_CHARS
		)
	);
}

/**
 * Only a hint: no field says it. `IGNORE_ALL_VERSION` is found in client mods and in server mods alike, and a mod
 * that says nothing may be anything.
 */
function sideOf(root: JsonObject, mod: JsonObject): Side {
	if (root.clientSideOnly === true || mod.clientSideOnly === true) return 'client';
	const test = String(mod.displayTest ?? root.displayTest).toUpperCase();
	return test === 'IGNORE_SERVER_VERSION'
		? 'server'
		: test === 'MATCH_VERSION'
			? 'both'
			: 'unknown';
}
