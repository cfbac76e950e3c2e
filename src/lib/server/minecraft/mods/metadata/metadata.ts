import { readFabricJson } from './fabric.ts';
import { readModsToml } from './forge.ts';
import { parseJson } from './lenient-json.ts';
import type { Described, JarMod } from './model.ts';
import { readMcmodInfo } from './old-forge.ts';
import { readQuiltJson } from './quilt.ts';
import { isObject, listOf, objectOf, strings } from './text.ts';

type Reader = (text: string, manifest: Map<string, string>) => Described | null;

const READERS: [name: string, read: Reader][] = [
	['fabric.mod.json', readFabricJson],
	['quilt.mod.json', readQuiltJson],
	[
		'META-INF/neoforge.mods.toml',
		(text, manifest) => readModsToml(text, manifest, 'neoforge.mods.toml')
	],
	['META-INF/mods.toml', (text, manifest) => readModsToml(text, manifest, 'mods.toml')],
	['mcmod.info', readMcmodInfo]
];

/** The files of a jar in which mods describe themselves, one per loader. */
export const METADATA = READERS.map(([name]) => name);

/** Everything that a jar's metadata files say. `unreadable` names the first of them that makes no sense. */
export function describe(
	text: (name: string) => string | undefined,
	manifest: Map<string, string>,
	jarInJar: string
) {
	const mods: JarMod[] = [];
	const jars = jarsInJar(text(jarInJar));
	let unreadable: string | null = null;
	for (const [name, read] of READERS) {
		const content = text(name);
		if (content === undefined) continue;
		// Newer Forge leaves the old file in the jar without using it.
		if (name === 'mcmod.info' && mods.some(({ loader }) => loader === 'forge')) continue;
		const described = read(content, manifest);
		if (described) {
			mods.push(...described.mods);
			jars.push(...described.jars);
		} else unreadable ??= name;
	}
	return { mods, jars, unreadable };
}

/** Forge's and NeoForge's list of the jars within. */
const jarsInJar = (text: string | undefined): string[] =>
	text === undefined
		? []
		: listOf(objectOf(parseJson(text)).jars)
				.filter(isObject)
				.flatMap(({ path }) => strings(path));
