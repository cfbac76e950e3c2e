import { listed } from '#schemas/plain/words/listed';
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

const NAMED_MAX = 5;

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
		else comes(draft, jar, mod);
	}
	for (const jar of after) {
		losesByRegistry(draft, jar, sets);
		if (!before.includes(jar)) registryConflicts(draft, jar, after);
	}
	forPlayers(
		draft,
		after.filter((jar) => !before.includes(jar) && jar.side === 'client'),
		rules
	);
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
function comes(draft: Draft, jar: Jar, mod: Mod) {
	if (jar.size > JAR_MAX_BYTES)
		draft.warn('too-large', `${jar.title} is larger than ${JAR_MAX_BYTES >> 20} MB.`, true);
	for (const problem of mod.problems) if (problem.code !== 'client-only') tell(draft, jar, problem);
	if (jar.version && jar.version.channel !== 'release')
		draft.warn('prerelease', `${jar.title} ${jar.number ?? ''} is ${A[jar.version.channel]}.`);
}

/** The problem's sentence, with the mod's name in it. */
function tell(draft: Draft, { title }: Jar, { code, message }: ModProblem) {
	const sentence = /^It /.test(message) ? `${title}${message.slice(2)}` : `${title}: ${message}`;
	draft.warn(code, sentence, BLOCKING.includes(code));
}

const A = { beta: 'a beta version', alpha: 'an alpha version' };

/** All in one sentence: whoever wants them for the players chooses several. */
function forPlayers(draft: Draft, jars: Jar[], { target: { loader } }: Rules) {
	if (!jars.length) return;
	const [are, them] = jars.length === 1 ? ['is', 'it'] : ['are', 'them'];
	const titles = jars.map(({ title }) => title);
	const what = `${listed(titles, NAMED_MAX)} ${are} for players’ own game`;
	if (loader === 'fabric' || loader === 'quilt')
		draft.note(
			'client-only',
			`${what}: the server ignores ${them}, the pack for players holds ${them}.`
		);
	else draft.warn('client-only', `${what}, and can keep the server from starting.`);
}

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
