import type { Loader, Side } from '#schemas/mod';

export type JarDependency = {
	modId: string;
	/** In the dialect of the mod's loader; alternatives are joined by ` || `, `*` is any. */
	range: string;
	kind: 'required' | 'optional' | 'incompatible' | 'embedded';
	/** Where it applies. */
	side: Side;
	/** It does not apply when one of these is there. */
	unless?: string[];
};

/** One mod as its jar describes it. All texts are plain, of one line and of limited length. */
export type JarMod = {
	modId: string;
	name: string;
	/** As written; null when it is not said, or only said in a manifest that is not there. */
	version: string | null;
	loader: Loader;
	/** `both`: loaded on both sides, which does not mean that players need it. */
	side: Side;
	/** Other ids that it answers to, with its own version unless `providedVersions` has another. */
	provides: string[];
	providedVersions?: Record<string, string>;
	dependencies: JarDependency[];
	/** It lies in a jar within the jar. */
	nested: boolean;
	description: string | null;
};

export type JarFacts =
	| {
			ok: true;
			/** Every loader's, nested ones too, the jar's own first. */
			mods: JarMod[];
			/** No mod of its own, and meant to be there: a language, a locator, a core mod. */
			library: boolean;
			/** For Paper and its relatives, no mod. */
			plugin?: boolean;
	  }
	/** A sentence for the person. */
	| { ok: false; problem: string };

/** What one metadata file says: its mods, and the jars within this one that it names. */
export type Described = { mods: JarMod[]; jars: string[] };
