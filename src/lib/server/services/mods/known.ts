import type { Mod } from '#schemas/mod';
import type { Installation } from '#minecraft/folder';
import type { ModFile } from '#minecraft/mods';
import type { RegistryProject, RegistryVersion } from '#registry';
import type { FailureOf } from './failures/index.ts';
import type { Flags } from './flags.ts';
import type { ModServer } from './installed/index.ts';

export type ServerFacts = Pick<Installation, 'loader' | 'loaderVersion' | 'gameVersion'> &
	Pick<ModServer, 'java'>;

/** What is in `mods/`, and what is known of it. */
export type Known = {
	server: ServerFacts;
	files: ModFile[];
	mods: Mod[];
	/** By sha512. */
	versions: ReadonlyMap<string, RegistryVersion>;
	/** By id. */
	projects: ReadonlyMap<string, RegistryProject>;
	flags: Flags;
	/** Whether a file did not start here before. */
	failure: FailureOf;
	/** Why facts of the registry are missing or old. */
	registryProblem: string | null;
};

/** Every regular file that counts as a mod: name to sha512. */
export const setOf = (files: ModFile[]): Record<string, string> =>
	Object.fromEntries(
		files.flatMap(({ fileName, sha512, regular }) =>
			regular && sha512 ? [[fileName, sha512]] : []
		)
	);
