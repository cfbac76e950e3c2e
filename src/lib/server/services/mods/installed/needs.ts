import type { JarDependency, JarMod } from '#minecraft/mods';
import type { Entry } from './entries.ts';
import type { Need } from './types.ts';
import type { Pool, Provider } from './pool.ts';

/** Something that is there, and should be in another version or not at all. */
export type Clash = { dependency: JarDependency; provider: Provider };

export type Needs = {
	requires: Need[];
	/** Needed, but present only in an unsuitable version. */
	wrong: Clash[];
	/** Not needed, and yet refused in this version (all but Fabric do that). */
	wrongOptional: Clash[];
	incompatible: Clash[];
};

/** What the jar's own mods need on a server, each once, and what stands in their way. */
export function needsOf(entry: Entry, pool: Pool): Needs {
	const needs: Needs = { requires: [], wrong: [], wrongOptional: [], incompatible: [] };
	const seen = new Set<string>();
	for (const mod of entry.own)
		for (const dependency of mod.dependencies) {
			const { modId, range, kind, side } = dependency;
			const here = side !== 'client' || entry.skipped;
			if (!here || kind === 'embedded' || seen.has(`${kind} ${modId} ${range}`)) continue;
			seen.add(`${kind} ${modId} ${range}`);
			if (kind === 'required') requireOne(entry, mod, dependency, pool, needs);
			else weighOne(entry, mod, dependency, pool, needs);
		}
	return needs;
}

function requireOne(
	entry: Entry,
	mod: JarMod,
	dependency: JarDependency,
	pool: Pool,
	{ requires, wrong }: Needs
) {
	const providers = pool.providers(dependency.modId, entry);
	const instead = isExcused(dependency, entry, pool);
	const chosen = instead ?? choose(providers, entry, (one) => pool.fits(one, dependency, mod));
	requires.push({ ...dependency, by: mod, satisfiedBy: chosen?.by ?? null });
	if (!chosen && providers[0]) wrong.push({ dependency, provider: providers[0] });
}

function weighOne(
	entry: Entry,
	mod: JarMod,
	dependency: JarDependency,
	pool: Pool,
	{ wrongOptional, incompatible }: Needs
) {
	if (isExcused(dependency, entry, pool)) return;
	const others = pool
		.providers(dependency.modId, entry)
		.filter(({ by }) => by !== entry.file.fileName);
	const fit = (wanted: boolean) =>
		others.find((provider) => pool.fits(provider, dependency, mod) === wanted);
	if (dependency.kind === 'incompatible') {
		const provider = fit(true);
		if (provider) incompatible.push({ dependency, provider });
	} else if (mod.loader !== 'fabric') {
		const provider = fit(false);
		if (provider && !fit(true)) wrongOptional.push({ dependency, provider });
	}
}

/** What is there in place of the dependency. */
const isExcused = ({ unless = [] }: JarDependency, entry: Entry, pool: Pool) =>
	unless.flatMap((id) => pool.providers(id, entry))[0];

/** Itself first: then no other file is needed for it. Certain ones before uncertain ones. */
function choose(
	providers: Provider[],
	entry: Entry,
	fits: (provider: Provider) => boolean | null
): Provider | undefined {
	const answers = providers.map((provider) => ({ provider, fits: fits(provider) }));
	const among = (wanted: boolean | null) => {
		const found = answers.filter(({ fits }) => fits === wanted).map(({ provider }) => provider);
		return found.find((provider) => provider.entry === entry) ?? found[0];
	};
	return among(true) ?? among(null);
}
