import { parseJson } from './lenient-json.ts';
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
	RANGE_MAX_CHARS,
	strings,
	VERSION_MAX_CHARS,
	type JsonObject
} from './text.ts';

const MODS_MAX = 100;

/** Parses `mcmod.info` of Forge up to 1.12, a list or `{ modListVersion, modList }`; null when it describes no mod. */
export function readMcmodInfo(text: string, manifest: Map<string, string>): Described | null {
	const root = parseJson(text);
	const wrapped = objectOf(root);
	const list = listOf(wrapped.modList ?? wrapped.modlist ?? root).filter(isObject);
	const mods = list
		.slice(0, MODS_MAX)
		.map((mod) => oldMod(mod, manifest))
		.filter((mod) => mod !== null);
	return mods.length ? { mods, jars: [] } : null;
}

function oldMod(root: JsonObject, manifest: Map<string, string>): JarMod | null {
	const modId = idOf(root.modid) ?? idOf(root.modId);
	if (modId === null) return null;
	return {
		modId,
		name: line(root.name, NAME_MAX_CHARS) ?? modId,
		version: versionOf(root.version, manifest),
		loader: 'forge',
		side: root.clientSideOnly === true ? 'client' : 'unknown',
		provides: [],
		dependencies: [
			...strings(root.requiredMods).flatMap((item) => dependency(item, 'required')),
			// Forge uses these only for sorting.
			...strings(root.dependencies).flatMap((item) => dependency(item, 'optional'))
		].slice(0, DEPENDENCIES_MAX),
		nested: false,
		description: line(root.description, DESCRIPTION_MAX_CHARS)
	};
}

/** What the build failed to fill in is often in the manifest. */
function versionOf(value: unknown, manifest: Map<string, string>): string | null {
	const version = line(value, VERSION_MAX_CHARS);
	if (!version || !/\$\{|@VERSION@/.test(version)) return version;
	return line(manifest.get('Implementation-Version'), VERSION_MAX_CHARS) ?? version;
}

/** `id` or `id@[1.0,)`; older ones begin with `mod_`. */
function dependency(item: string, kind: JarDependency['kind']): JarDependency[] {
	const [id = '', range] = item.split('@', 2);
	const modId = idOf(id.replace(/^(?:required-)?(?:after:|before:)?/, '').replace(/^mod_/, ''));
	if (modId === null || modId === '*') return [];
	return [
		{
			modId: modId === 'MinecraftForge' ? 'forge' : modId,
			range: line(range, RANGE_MAX_CHARS) ?? '*',
			kind,
			side: 'both'
		}
	];
}
