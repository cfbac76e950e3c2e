import type { Mod, Side } from '#schemas/mod';
import type { JarMod, ModFile } from '#minecraft/mods';
import { entriesOf, shownName, type Entry } from './entries.ts';
import { needsOf } from './needs.ts';
import { createPool } from './pool.ts';
import type { Marks, ModServer, Need, RegistryFact, Satisfies } from './types.ts';
import { problemsOf, sharedIds } from './problems.ts';

/**
 * The files of `mods/` as people see them: what each is, what it needs and who needs it, and what is wrong. Pure.
 * Disabled files need nothing and nobody; `registry` goes by sha512.
 */
export function installedMods(
	files: ModFile[],
	server: ModServer,
	registry: ReadonlyMap<string, RegistryFact>,
	marks: (file: { fileName: string; modId: string | null; sha512: string | null }) => Marks,
	satisfies: Satisfies
): Mod[] {
	const { entries, connector } = entriesOf(files, server);
	const pool = createPool(entries, server, connector, satisfies);
	const needs = new Map(entries.map((entry) => [entry, needsOf(entry, pool)]));
	const requiredBy = dependents(needs);
	const twins = sharedIds(entries);
	return entries.map((entry): Mod => {
		const { file, own } = entry;
		const fact = file.sha512 === null ? undefined : registry.get(file.sha512);
		const shown: JarMod | undefined = own[0] ?? entry.described[0];
		const modId = own[0]?.modId ?? null;
		const side = sideOf(own, fact?.side);
		const { requires } = needs.get(entry)!;
		return {
			fileName: file.fileName,
			modId,
			name:
				shown?.name ??
				fact?.project.title ??
				shownName(file.fileName.replace(/\.jar(\.disabled)?$/, '')),
			version: shown?.version ?? fact?.version ?? null,
			loaders: [...new Set(entry.described.map(({ loader }) => loader))],
			side,
			enabled: file.enabled,
			size: file.size,
			writtenAt: file.mtimeMs ? new Date(file.mtimeMs).toISOString() : null,
			sha512: file.sha512,
			project: fact?.project ?? null,
			versionId: fact?.versionId ?? null,
			requires: requires.map(({ modId, range, satisfiedBy }) => ({ modId, range, satisfiedBy })),
			requiredBy: requiredBy.get(file.fileName) ?? [],
			problems: problemsOf(entry, { needs: needs.get(entry)!, pool, server, twins, side }),
			...marks({ fileName: file.fileName, modId, sha512: file.sha512 })
		};
	});
}

/** By file name: the files that need it. */
function dependents(needs: Map<Entry, { requires: Need[] }>): Map<string, string[]> {
	const found = new Map<string, string[]>();
	for (const [{ active, file }, { requires }] of needs) {
		if (!active) continue;
		const used = new Set(requires.map(({ satisfiedBy }) => satisfiedBy));
		for (const name of used) {
			if (name === null || name === file.fileName) continue;
			const list = found.get(name);
			if (list) list.push(file.fileName);
			else found.set(name, [file.fileName]);
		}
	}
	return found;
}

/**
 * The jar decides where the loader loads it; the registry, filled in by people, only says more: that players need not
 * have it, or what it is when the jar does not tell.
 */
function sideOf(own: JarMod[], listed: Side = 'unknown'): Side {
	const sides = new Set(own.map(({ side }) => side));
	const said = sides.size === 1 ? [...sides][0]! : sides.size === 0 ? 'unknown' : 'both';
	if (said === 'unknown') return listed;
	return said === 'both' && listed === 'server' ? 'server' : said;
}
