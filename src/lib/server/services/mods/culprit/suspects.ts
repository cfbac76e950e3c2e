import path from 'node:path';
import type { JarFacts, ModFile } from '#minecraft/mods';
import type { TrialJar } from '#trial';
import type { ModChange } from '../change/index.ts';
import { groupsOf } from './groups.ts';
import { filesAfter, problemsIn, type Rules } from './metadata.ts';
import type { Group } from './search.ts';

type Parts = Pick<ModChange, 'put' | 'take' | 'rename'>;

/** One mod that may be to blame: what enabling it does to the present set. */
export type Suspect = Parts & {
	/** In the new set; for a mod that is only removed, the removed file. */
	fileName: string;
	title: string;
	/** Where its jar comes from: the index in the change's `put`. */
	puts: number[];
};

/** What a search starts from. */
export type Lineup = {
	/** The set with none of the suspects on. */
	base: ModFile[];
	suspects: Suspect[];
};

/** Each changed mod is a suspect: its new jar in place of the old one. `facts` in the order of `put`. */
export function changedMods(files: ModFile[], change: Parts, facts: JarFacts[]): Lineup {
	const left = new Set(change.take);
	const idsOfOld = (fileName: string) =>
		idsIn(files.find((file) => file.fileName === fileName)?.facts);
	const brought = change.put.map((put, i): Suspect => {
		const ids = idsIn(facts[i]);
		const take = [...left].filter(({ fileName }) =>
			idsOfOld(fileName).some((id) => ids.includes(id))
		);
		for (const one of take) left.delete(one);
		return { ...put, put: [put], puts: [i], take, rename: [] };
	});
	const gone = [...left].map((take): Suspect => ({ ...take, ...NOTHING, take: [take] }));
	const renamed = change.rename.map((rename): Suspect => ({
		fileName: rename.to,
		title: rename.title,
		...NOTHING,
		rename: [rename]
	}));
	return { base: files, suspects: [...brought, ...renamed, ...gone] };
}

/** Every installed mod is a suspect, compared with the server without any. */
export function allMods(files: ModFile[]): Lineup {
	const loaded = files.filter(({ enabled, regular }) => enabled && regular);
	const suspects = loaded.map(({ fileName, sha512, facts }): Suspect => {
		const mod = facts.ok ? facts.mods[0] : undefined;
		const title = [mod?.name ?? fileName, mod?.version].filter(Boolean).join(' ');
		// As if it were enabled.
		const rename = [
			{ from: fileName, to: fileName, sha512: sha512 ?? '', title, side: 'both' as const }
		];
		return { fileName, title, ...NOTHING, rename };
	});
	const off = loaded.map((file) => ({ ...file, enabled: false }));
	return { base: off, suspects };
}

const NOTHING = { put: [], puts: [], take: [], rename: [] };
const idsIn = (facts: JarFacts | undefined) =>
	facts?.ok ? facts.mods.filter(({ nested }) => !nested).map(({ modId }) => modId) : [];

/** Groups of suspects, by the dependencies in their own metadata; identified by their file names. */
export function suspectGroups(
	{ base, suspects }: Lineup,
	facts: JarFacts[],
	rules: Rules
): Group[] {
	const look = (on: string[]) => {
		const chosen = suspects.filter(({ fileName }) => on.includes(fileName));
		const files = filesAfter(
			base,
			together(chosen),
			chosen.flatMap(({ puts }) => puts.map((i) => facts[i]!))
		);
		return new Set(problemsIn(files, rules).keys());
	};
	return groupsOf(
		suspects.map(({ fileName }) => fileName),
		look
	);
}

const together = (chosen: Suspect[]): Parts => ({
	put: chosen.flatMap(({ put }) => put),
	take: chosen.flatMap(({ take }) => take),
	rename: chosen.flatMap(({ rename }) => rename)
});

/** The jars of the set with exactly these suspects enabled. */
export function jarsWith(
	{ base, suspects }: Lineup,
	on: string[],
	{ modsDir, broughtTo }: { modsDir: string; broughtTo: (index: number) => string }
): TrialJar[] {
	const chosen = suspects.filter(({ fileName }) => on.includes(fileName));
	const { take, rename } = together(chosen);
	const gone = new Set([
		...take.map(({ fileName }) => fileName),
		...rename.map(({ from }) => from)
	]);
	const installed = (fileName: string) => path.join(modsDir, fileName);
	return [
		...base
			.filter(({ fileName, enabled, regular }) => enabled && regular && !gone.has(fileName))
			.map(({ fileName }) => ({ fileName, path: installed(fileName) })),
		...rename.map(({ from, to }) => ({ fileName: to, path: installed(from) })),
		...chosen.flatMap(({ put, puts }) =>
			put.map(({ fileName }, i) => ({ fileName, path: broughtTo(puts[i]!) }))
		)
	].filter(({ fileName }) => fileName.endsWith('.jar'));
}
