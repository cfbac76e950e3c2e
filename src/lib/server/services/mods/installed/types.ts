import type { Mod, Side } from '#schemas/mod';
import type { Java } from '#minecraft/java';
import type { JarDependency, JarMod } from '#minecraft/mods';

/** What the mods are for: of `Installation`. */
export type ModServer = {
	loader: string | null;
	loaderVersion: string | null;
	gameVersion: string | null;
	/** The one that starts it; null or absent: unknown. */
	java?: Pick<Java, 'version' | 'major'> | null;
};

/** What the registry knows of a file. */
export type RegistryFact = {
	project: NonNullable<Mod['project']>;
	versionId: string;
	/** The version's number. */
	version: string | null;
	side: Side;
};

/** What people have decided about a file. */
export type Marks = { locked: boolean; shareable: boolean };

/** `satisfies` of minecraft/mods/version-range. */
export type Satisfies = (
	version: string,
	range: string,
	dialect: 'fabric' | 'quilt' | 'maven'
) => boolean | null;

/** A dependency and the mod that fulfils it. */
export type Need = JarDependency & { by: JarMod; satisfiedBy: string | null };
