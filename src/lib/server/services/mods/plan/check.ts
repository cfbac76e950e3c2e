import { JAR_MAX_BYTES, type Mod, type ModProblem } from '#schemas/mod';
import { lostByRegistry, lostBySelf } from './dependents.ts';
import { active, type Draft } from './draft.ts';
import { foldId, ownIds, servesProject } from './requirements.ts';
import { lookAt, type Rules } from './set.ts';
import { projectOf, type Jar } from './types.ts';

/** What keeps a server from starting. */
const BLOCKING: ModProblem['code'][] = [
	'broken',
	'missing-dependency',
	'wrong-dependency-version',
	'wrong-game-version',
	'incompatible',
	'duplicate',
	'not-a-file'
];

type Sets = { before: Jar[]; after: Jar[]; gone: Jar[] };

/** Checks the set that the plan leads to. Earlier problems are not the plan's fault and block nothing. */
export function checkSet(draft: Draft, rules: Rules) {
	const [before, after] = [active(draft.installed), active(draft.after())];
	const sets = { before, after, gone: before.filter((jar) => !after.includes(jar)) };
	const was = lookAt(draft.installed, rules);
	for (const [jar, mod] of lookAt(draft.after(), rules)) {
		if (!jar.enabled) continue;
		const old = before.includes(jar) ? was.get(jar) : undefined;
		if (old) stays(draft, jar, { mod, old, sets });
		else comes(draft, jar, { mod, rules });
	}
	for (const jar of after) {
		losesByRegistry(draft, jar, sets);
		if (!before.includes(jar)) registryConflicts(draft, jar, after);
	}
	lookAlikes(draft, after);
}

/** Nothing that stays may lose what it needs, or meet something incompatible. */
function stays(draft: Draft, jar: Jar, { mod, old, sets }: { mod: Mod; old: Mod; sets: Sets }) {
	const lost = lostBySelf(mod, old, sets.gone);
	for (const other of lost)
		draft.warn(
			'needed-by',
			`${jar.title} needs ${other.title}. Remove or disable ${jar.title} too, or keep ${other.title}.`,
			true
		);
	for (const problem of mod.problems) {
		const isNew = !old.problems.some(({ message }) => message === problem.message);
		const isSaid = problem.code === 'missing-dependency' && lost.length > 0;
		if (isNew && !isSaid) tell(draft, jar, problem);
	}
}

/** What is added or enabled must be able to load. */
function comes(draft: Draft, jar: Jar, { mod, rules }: { mod: Mod; rules: Rules }) {
	if (jar.size > JAR_MAX_BYTES)
		draft.warn('too-large', `${jar.title} is larger than ${JAR_MAX_BYTES >> 20} MB.`, true);
	for (const problem of mod.problems) if (problem.code !== 'client-only') tell(draft, jar, problem);
	if (jar.side === 'client') draft.warn('client-only', clientOnly(jar, rules));
	if (jar.version && jar.version.channel !== 'release')
		draft.warn('prerelease', `${jar.title} ${jar.number ?? ''} is ${A[jar.version.channel]}.`);
}

/** The problem's sentence, with the mod's name in it. */
function tell(draft: Draft, { title }: Jar, { code, message }: ModProblem) {
	const sentence = /^It /.test(message) ? `${title}${message.slice(2)}` : `${title}: ${message}`;
	draft.warn(code, sentence, BLOCKING.includes(code));
}

const A = { beta: 'a beta version', alpha: 'an alpha version' };

const clientOnly = ({ title }: Jar, { target: { loader } }: Rules) =>
	loader === 'fabric' || loader === 'quilt'
		? `${title} is for players’ own game: the server ignores it, the pack for players holds it.`
		: `${title} is for players’ own game, and can keep the server from starting.`;

/**
 * What only the registry says, about a jar that reads otherwise itself, is a hint: authors' pages are sometimes wrong.
 * For a jar that cannot be read, nothing else is known.
 */
function losesByRegistry(draft: Draft, jar: Jar, sets: Sets) {
	if (!sets.before.includes(jar)) return;
	for (const other of lostByRegistry(jar, sets)) {
		const isSure = jar.metadata === null;
		const words = isSure ? 'needs' : 'needs, according to its page in the registry,';
		draft.warn('needed-by', `${jar.title} ${words} ${other.title}.`, isSure);
	}
}

function registryConflicts(draft: Draft, jar: Jar, after: Jar[]) {
	for (const other of after) {
		if (other === jar || !(excludes(jar, other) || excludes(other, jar))) continue;
		const [a, b] = [jar.title, other.title].sort();
		draft.warn('incompatible', `${a} and ${b} do not work together.`, true);
	}
}

const excludes = (jar: Jar, other: Jar) =>
	(jar.version?.dependencies ?? []).some(({ kind, projectId, versionId }) => {
		if (kind !== 'incompatible') return false;
		if (versionId !== null) return versionId === other.version?.id;
		return projectId !== null && projectId === projectOf(other);
	});

/** A jar of the registry whose mod seems to be there in another file: its id is not known before it is downloaded. */
function lookAlikes(draft: Draft, after: Jar[]) {
	for (const change of draft.changes) {
		if (change.is !== 'add' || change.jar.staged) continue;
		const slug = change.jar.project?.slug;
		const same = after.find(
			(jar) => jar !== change.jar && slug && ownIds(jar).includes(foldId(slug))
		);
		if (same && !servesProject(same, projectOf(change.jar)!, null))
			draft.warn(
				'duplicate',
				`${change.jar.title} seems to be there already: ${same.fileName}. Remove that file first.`,
				projectOf(same) === null
			);
	}
}
