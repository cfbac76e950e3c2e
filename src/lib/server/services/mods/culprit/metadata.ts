import type { ModProblem } from '#schemas/mod';
import type { JarFacts, ModFile } from '#minecraft/mods';
import type { ModChange } from '../change/index.ts';
import { installedMods, type Satisfies } from '../installed/index.ts';
import type { ServerFacts } from '../known.ts';

/** What keeps a loader from starting. */
const FATAL: ModProblem['code'][] = [
	'broken',
	'missing-dependency',
	'wrong-dependency-version',
	'wrong-game-version',
	'incompatible',
	'duplicate'
];
const UNMARKED = { locked: false, shareable: false };

export type Rules = {
	server: ServerFacts;
	satisfies: Satisfies;
	/** Mods whose dependencies the owner has overridden in the loader's own file: they count as met. */
	overridden: ReadonlySet<string>;
};

/** What is wrong with a set of jars by their own metadata: sentences for people, by a text that identifies the problem. */
export function problemsIn(files: ModFile[], rules: Rules, codes = FATAL): Map<string, string> {
	const mods = installedMods(files, rules.server, new Map(), () => UNMARKED, rules.satisfies);
	const found = new Map<string, string>();
	for (const { name, modId, fileName, enabled, problems } of mods) {
		if (!enabled || (modId && rules.overridden.has(modId))) continue;
		for (const { code, message } of problems)
			if (codes.includes(code))
				found.set(`${modId ?? fileName} ${code} ${message}`, sentence(name, message));
	}
	return found;
}

const sentence = (name: string, message: string) =>
	/^It /.test(message) ? `${name}${message.slice(2)}` : `${name}: ${message}`;

/** What a set lacks that the present one did not. */
export function newProblems(before: ModFile[], after: ModFile[], rules: Rules): string[] {
	const known = problemsIn(before, rules);
	return [...problemsIn(after, rules)].flatMap(([key, message]) => (known.has(key) ? [] : message));
}

/**
 * What a set lacks on another game that the present one does not lack on the present game. What says already that this
 * game is not its own says so of any.
 */
export function newOnGame(
	before: { files: ModFile[]; rules: Rules },
	after: { files: ModFile[]; rules: Rules },
	codes?: ModProblem['code'][]
): string[] {
	const keyOf = (key: string) => key.replace(/ (wrong-game-version) .*/s, ' $1');
	const known = new Set([...problemsIn(before.files, before.rules).keys()].map(keyOf));
	return [...problemsIn(after.files, after.rules, codes)].flatMap(([key, message]) =>
		known.has(keyOf(key)) ? [] : message
	);
}

/** The files after a change; `facts` of the new ones, in the order of `put`. */
export function filesAfter(
	files: ModFile[],
	{ put, take, rename }: Pick<ModChange, 'put' | 'take' | 'rename'>,
	facts: JarFacts[]
): ModFile[] {
	const gone = new Set([
		...take.map(({ fileName }) => fileName),
		...rename.map(({ from }) => from)
	]);
	const brought = put.map(({ fileName, size, sha512 }, i): ModFile => ({
		...{ fileName, size, sha512, enabled: isEnabled(fileName), facts: facts[i]! },
		...{ mtimeMs: 0, regular: true }
	}));
	const renamed = rename.flatMap(({ from, to }) => {
		const file = files.find(({ fileName }) => fileName === from);
		return file ? [{ ...file, fileName: to, enabled: isEnabled(to) }] : [];
	});
	return [...files.filter(({ fileName }) => !gone.has(fileName)), ...brought, ...renamed];
}

const isEnabled = (fileName: string) => fileName.endsWith('.jar');

/** The mods named in `config/fabric_loader_dependencies.json`, which overrides their dependencies. */
export function overriddenIn(text: string | null): Set<string> {
	try {
		const { overrides } = JSON.parse(text ?? '{}') as { overrides?: unknown };
		return new Set(overrides && typeof overrides === 'object' ? Object.keys(overrides) : []);
	} catch {
		return new Set(); // the loader does not read it either
	}
}
