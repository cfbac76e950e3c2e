import { environmentSide } from './fabric.ts';
import { parseJson } from './lenient-json.ts';
import type { Described, JarDependency } from './model.ts';
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
	VERSION_MAX_CHARS
} from './text.ts';

const ALTERNATIVES_MAX = 64;
const NESTING_MAX = 8;

/** Parses `quilt.mod.json`; null when it describes no mod. */
export function readQuiltJson(text: string): Described | null {
	const root = objectOf(parseJson(text));
	const loader = objectOf(root.quilt_loader);
	const metadata = objectOf(loader.metadata);
	const modId = idOf(loader.id);
	if (modId === null) return null;
	const provided = listOf(loader.provides).slice(0, DEPENDENCIES_MAX).map(provides);
	return {
		mods: [
			{
				modId,
				name: line(metadata.name, NAME_MAX_CHARS) ?? modId,
				version: line(loader.version, VERSION_MAX_CHARS),
				loader: 'quilt',
				side: environmentSide(objectOf(root.minecraft).environment),
				provides: provided.flatMap(({ id }) => (id ? [id] : [])),
				providedVersions: Object.fromEntries(
					provided.flatMap(({ id, version }) => (id && version ? [[id, version]] : []))
				),
				dependencies: [
					...listOf(loader.depends).flatMap((item) => dependency(item, 'required')),
					...listOf(loader.breaks).flatMap((item) => dependency(item, 'incompatible'))
				].slice(0, DEPENDENCIES_MAX),
				nested: false,
				description: line(metadata.description, DESCRIPTION_MAX_CHARS)
			}
		],
		jars: strings(loader.jars)
	};
}

/** Quilt may write `group:id`; ids alone are compared. */
const quiltId = (value: unknown) =>
	typeof value === 'string' ? idOf(value.slice(value.indexOf(':') + 1)) : null;

const provides = (item: unknown) => ({
	id: quiltId(isObject(item) ? item.id : item),
	version: isObject(item) ? line(item.version, VERSION_MAX_CHARS) : null
});

const ids = (value: unknown): string[] =>
	listOf(value)
		.map((item) => quiltId(isObject(item) ? item.id : item))
		.filter((id) => id !== null)
		.slice(0, DEPENDENCIES_MAX);

/** A list of required mods means any of them; a list of breaking mods means all at once, which is left out. */
function dependency(item: unknown, kind: JarDependency['kind']): JarDependency[] {
	if (Array.isArray(item)) {
		const [first, ...others] = item as unknown[];
		if (kind === 'incompatible' || first === undefined) return [];
		return dependency(first, kind).map((one) => ({
			...one,
			unless: [...(one.unless ?? []), ...ids(others)]
		}));
	}
	const object = isObject(item) ? item : { id: item };
	const modId = quiltId(object.id);
	if (modId === null) return [];
	const unless = ids(object.unless);
	return [
		{
			modId,
			range: quiltRange(object.versions),
			kind: kind === 'required' && object.optional === true ? 'optional' : kind,
			side: environmentSide(object.environment),
			...(unless.length && { unless })
		}
	];
}

const quiltRange = (versions: unknown): string =>
	line(
		alternatives(versions, 0)
			.map((all) => all.join(' '))
			.join(' || '),
		RANGE_MAX_CHARS
	) ?? '*';

/** Alternatives of constraints that apply together, from `"…"`, `["…"]` (any), `{ any }` and `{ all }`. */
function alternatives(versions: unknown, depth: number): string[][] {
	if (depth > NESTING_MAX) return [['*']];
	if (typeof versions === 'string') return [[versions]];
	if (isObject(versions) && versions.all !== undefined)
		return listOf(versions.all)
			.map((part) => alternatives(part, depth + 1))
			.reduce<string[][]>(
				(sofar, part) =>
					sofar
						.flatMap((left) => part.map((right) => [...left, ...right]))
						.slice(0, ALTERNATIVES_MAX),
				[[]]
			);
	return listOf(isObject(versions) ? versions.any : versions)
		.slice(0, ALTERNATIVES_MAX)
		.flatMap((part) => alternatives(part, depth + 1));
}
