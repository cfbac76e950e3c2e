import type { Mod } from '#schemas/mod';
import type { ModFile, JarFacts, JarMod } from '#minecraft/mods';
import { installedMods, type Satisfies } from '../installed/index.ts';
import type { Jar } from './types.ts';
import type { Target } from '../target.ts';

export type Rules = { target: Target; satisfies: Satisfies };

/** These jars as if they lay in `mods/`: what each needs, and what is wrong. */
export function lookAt(jars: Jar[], { target, satisfies }: Rules): Map<Jar, Mod> {
	const files = jars.map((jar) => fileOf(jar, target));
	const mods = installedMods(files, target, new Map(), () => UNMARKED, satisfies);
	return new Map(mods.map((mod, i) => [jars[i]!, mod]));
}

const UNMARKED = { locked: false, shareable: false };

const fileOf = (jar: Jar, target: Target): ModFile => ({
	fileName: jar.fileName,
	enabled: jar.enabled,
	size: jar.size,
	mtimeMs: 0,
	sha512: jar.sha512,
	facts: jar.facts ?? presumedFacts(jar, target),
	regular: true
});

/** Of a jar that is still in the registry: it will load, answer to these ids, and its version is not known. */
function presumedFacts(jar: Jar, { loader }: Target): JarFacts {
	const mod: JarMod = {
		modId: `registry:${jar.version?.projectId ?? jar.fileName}`,
		name: jar.title,
		version: null,
		loader,
		side: jar.side,
		provides: jar.presumed,
		dependencies: [],
		nested: false,
		description: null
	};
	return { ok: true, mods: [mod], library: false };
}
