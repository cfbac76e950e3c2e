import type { Loader, Side } from '#schemas/mod';

export type JarDependency = {
	modId: string;
	/** In the dialect of the mod's loader; alternatives are joined by ` || `, `*` is any. */
	range: string;
	kind: 'required' | 'optional' | 'incompatible' | 'embedded';
	/** The side on which it applies. */
	side: Side;
	/** It does not apply when one of these is present. */
	unless?: string[];
};

/** One mod as its jar describes it. All texts are plain, on one line and of limited length. */
export type JarMod = {
	modId: string;
	name: string;
	/** As written; null when it is missing, or only given in a manifest that does not exist. */
	version: string | null;
	loader: Loader;
	/** `both`: loaded on both sides, which does not mean that players need it. */
	side: Side;
	/** Other ids under which it can be required, with its own version unless `providedVersions` has another. */
	provides: string[];
	providedVersions?: Record<string, string>;
	dependencies: JarDependency[];
	/** It is in a jar within the jar. */
	nested: boolean;
	description: string | null;
};

export type JarFacts =
	| {
			ok: true;
			/** Those of every loader, nested ones too, the jar's own first. */
			mods: JarMod[];
			/** Not a mod itself, but meant to be there: a language, a locator, a core mod. */
			library: boolean;
			/** For Paper and its relatives, not a mod. */
			plugin?: boolean;
	  }
	/** A sentence for the person. */
	| { ok: false; problem: string };

/** What one metadata file says: its mods, and the jars within this one that it names. */
export type Described = { mods: JarMod[]; jars: string[] };
