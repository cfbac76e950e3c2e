import { listed } from '#schemas/plain/words/listed';
import { Loader } from '#schemas/mod';
import type { JarFacts } from '#minecraft/mods';
import { modsFor } from './jars.ts';

const NAMES: Record<Loader, string> = {
	fabric: 'Fabric',
	quilt: 'Quilt',
	forge: 'Forge',
	neoforge: 'NeoForge'
};

/** Why a jar that arrived is no mod for this server, as a sentence; null when it is one. */
export function jarProblem(facts: JarFacts, loader: string | null): string | null {
	if (!facts.ok) return facts.problem;
	const own = Loader.safeParse(loader);
	if (!own.success) return 'This server has no mod loader.';
	if (modsFor(facts, own.data)?.length || facts.library) return null;
	const others = [...new Set(facts.mods.map((mod) => NAMES[mod.loader]))];
	return others.length
		? `The jar is a mod for ${listed(others)}; this server runs ${NAMES[own.data]}.`
		: 'The jar contains no mod.';
}
