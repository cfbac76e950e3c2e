import { FILE_NAME_MAX, SafeJarName, type Loader } from '#schemas/mod';
import type { JarFacts, JarMod } from '#minecraft/mods';
import type { RegistryProject, RegistryVersion } from '#registry';
import type { Known } from '../known.ts';
import type { Jar } from './types.ts';
import type { Target } from '../target.ts';

export const DISABLED = '.disabled';
const DERIVED_MAX = 100;

/** Whose metadata a loader reads, the first that a jar has. */
const READS: Record<Loader, Loader[]> = {
	fabric: ['fabric'],
	quilt: ['quilt', 'fabric'],
	forge: ['forge'],
	// Before 20.5 NeoForge read Forge's own file.
	neoforge: ['neoforge', 'forge']
};

/** What a jar says to this loader; null when it cannot be read. */
export function modsFor(facts: JarFacts, loader: Loader): JarMod[] | null {
	if (!facts.ok) return null;
	const read = READS[loader].find((one) =>
		facts.mods.some((mod) => mod.loader === one && !mod.nested)
	);
	return facts.mods.filter((mod) => mod.loader === read);
}

/** Everything in `mods/`, as the resolver sees it. */
export function installedJars(known: Known, { loader }: Pick<Target, 'loader'>): Jar[] {
	const listed = new Map(known.mods.map((mod) => [mod.fileName, mod]));
	return known.files
		.filter(({ regular }) => regular)
		.map((file) => {
			const mod = listed.get(file.fileName);
			const version = (file.sha512 && known.versions.get(file.sha512)) || null;
			const metadata = modsFor(file.facts, loader);
			return {
				fileName: file.fileName,
				enabled: file.enabled,
				title: mod?.name ?? file.fileName,
				number: mod?.version ?? version?.number ?? null,
				modId: mod?.modId ?? null,
				side: mod?.side ?? 'unknown',
				size: file.size,
				sha512: file.sha512,
				version,
				project: (version && known.projects.get(version.projectId)) ?? null,
				facts: file.facts,
				metadata,
				presumed: [],
				library: file.facts.ok && file.facts.library,
				locked: mod?.locked ?? false,
				staged: null
			};
		});
}

/** A version of the registry as a file in `mods/`; with `instead`, in the place of that one. */
export function registryJar(
	version: RegistryVersion & { file: NonNullable<RegistryVersion['file']> },
	project: RegistryProject | null,
	{ taken, instead = null, enabled }: { taken: Jar[]; instead?: Jar | null; enabled: boolean }
): Jar {
	const { file } = version;
	const others = taken.filter((jar) => jar !== instead);
	const name = freeName(file.fileName, [project?.slug ?? version.projectId, version], others);
	return {
		fileName: enabled ? name : name + DISABLED,
		enabled,
		title: project?.title ?? instead?.title ?? version.name,
		number: version.number,
		modId: instead?.modId ?? null,
		side: sideOf(version, project),
		size: file.size,
		sha512: file.sha512,
		version,
		project,
		facts: null,
		metadata: null,
		presumed: presumedIds(project, instead),
		library: instead?.library ?? false,
		locked: instead?.locked ?? false,
		staged: null
	};
}

const sideOf = (version: RegistryVersion, project: RegistryProject | null) =>
	version.side === 'unknown' ? (project?.side ?? 'unknown') : version.side;

/** Ids of what it replaces stay; a slug mostly is the mod's id, with `-` or `_`. */
function presumedIds(project: RegistryProject | null, instead: Jar | null) {
	const before = instead?.metadata ?? [];
	const ids = before.flatMap((mod) => [mod.modId, ...mod.provides]);
	return project ? [...new Set([...ids, project.slug])] : ids;
}

/** The file's name without what disables it, compared as file systems may compare it. */
export const bareName = (fileName: string) =>
	fileName.replace(new RegExp(`\\${DISABLED}$`), '').toLowerCase();

/** The registry's name where that is harmless and free, else one that we derive. */
function freeName(wanted: string, [slug, version]: [string, RegistryVersion], others: Jar[]) {
	const taken = new Set(others.map((jar) => bareName(jar.fileName)));
	const free = (name: string) => !taken.has(name.toLowerCase());
	if (isSafeName(wanted) && free(wanted)) return wanted;
	const plain = safeName(`${slug}-${version.number}`);
	return free(plain) ? plain : safeName(`${slug}-${version.id}`);
}

const isSafeName = (name: string) =>
	SafeJarName.safeParse(name).success && name.length <= FILE_NAME_MAX;

/** A name of our own, of harmless characters. */
export function safeName(words: string) {
	const name = words.replace(/[^A-Za-z0-9._+-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '');
	return `${name.slice(0, DERIVED_MAX) || 'mod'}.jar`;
}

/** An installed jar under its other name. */
export const renamed = (jar: Jar): Jar => ({
	...jar,
	enabled: !jar.enabled,
	fileName: jar.enabled ? jar.fileName + DISABLED : jar.fileName.slice(0, -DISABLED.length)
});
