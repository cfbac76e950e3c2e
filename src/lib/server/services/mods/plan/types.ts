import type { Side } from '#schemas/mod';
import type { JarFacts, JarMod } from '#minecraft/mods';
import type { RegistryProject, RegistryVersion } from '#registry';

/** A jar that lies in `mods/`, or would after the plan. */
export type Jar = {
	fileName: string;
	enabled: boolean;
	title: string;
	/** For people. */
	number: string | null;
	modId: string | null;
	side: Side;
	size: number;
	sha512: string | null;
	version: RegistryVersion | null;
	project: RegistryProject | null;
	/** What the jar says itself; null while it is in the registry only. */
	facts: JarFacts | null;
	/** The same for this loader, nested mods too; null when it cannot be read (yet). */
	metadata: JarMod[] | null;
	/** Mod ids that it will most likely provide, where `metadata` cannot tell. */
	presumed: string[];
	library: boolean;
	locked: boolean;
	/** Already on disk elsewhere: an upload. */
	staged: string | null;
};

/** What happens to a file. `reason` says why when it was not asked for. */
export type Change =
	| { is: 'add'; jar: Jar; reason: string | null }
	| { is: 'replace'; old: Jar; jar: Jar; reason: string | null }
	| { is: 'remove'; old: Jar; reason: string | null }
	| { is: 'rename'; old: Jar; jar: Jar; reason: string | null };

export const projectOf = (jar: Jar) => jar.version?.projectId ?? jar.project?.id ?? null;

/** A damaged file adds nothing to the game, whatever its name says. */
export const isLoadable = ({ facts }: Pick<Jar, 'facts'>) => facts === null || facts.ok;
