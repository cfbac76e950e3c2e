import type { Side } from '#schemas/mod';
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

/** At most a warning from the loader: `recommends` and `suggests` never keep a server from starting. */
const KINDS: [field: string, kind: JarDependency['kind']][] = [
	['depends', 'required'],
	// As in the first loaders.
	['requires', 'required'],
	['recommends', 'optional'],
	['suggests', 'optional'],
	['breaks', 'incompatible']
];

/** Parses `fabric.mod.json`; null when it describes no mod. The first format could hold several. */
export function readFabricJson(text: string): Described | null {
	const roots = listOf(parseJson(text)).filter(isObject);
	const mods = roots.map(fabricMod).filter((mod) => mod !== null);
	if (mods.length === 0) return null;
	const jars = roots.flatMap((root) =>
		listOf(root.jars).flatMap((jar) => strings(isObject(jar) ? jar.file : jar))
	);
	return { mods, jars };
}

function fabricMod(root: JsonObject): JarMod | null {
	const modId = idOf(root.id);
	if (modId === null) return null;
	return {
		modId,
		name: line(root.name, NAME_MAX_CHARS) ?? modId,
		version: line(root.version, VERSION_MAX_CHARS),
		loader: 'fabric',
		side: environmentSide(root.environment ?? root.side),
		provides: strings(root.provides)
			.map(idOf)
			.filter((id) => id !== null)
			.slice(0, DEPENDENCIES_MAX),
		dependencies: KINDS.flatMap(([field, kind]) => dependencies(root[field], kind)).slice(
			0,
			DEPENDENCIES_MAX
		),
		nested: false,
		description: line(root.description, DESCRIPTION_MAX_CHARS)
	};
}

/** For Fabric and Quilt, in upper or lower case. */
export function environmentSide(environment: unknown): Side {
	const names = strings(environment).map((name) => name.toLowerCase());
	const [client, server] = [
		names.includes('client'),
		names.some((name) => name === 'server' || name === 'dedicated_server')
	];
	return client === server ? 'both' : client ? 'client' : 'server';
}

const dependencies = (value: unknown, kind: JarDependency['kind']): JarDependency[] =>
	Object.entries(objectOf(value)).flatMap(([id, predicate]) => {
		const modId = idOf(id);
		return modId ? [{ modId, range: fabricRange(predicate), kind, side: 'both' as const }] : [];
	});

function fabricRange(predicate: unknown): string {
	const versions = isObject(predicate) ? predicate.version : predicate;
	return line(strings(versions).join(' || '), RANGE_MAX_CHARS) ?? '*';
}
