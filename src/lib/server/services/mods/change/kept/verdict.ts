import type { Diagnosis } from '#minecraft/diagnosis';
import { crashSeen, type Failing, type Observation, type Operations } from '#operations';
import type { ModChange } from '../types.ts';

/**
 * A server that did not run before a change, and does not run after it for a reason of its own, is not helped by taking
 * the change back: it stays then.
 */

export type Changed = Pick<ModChange, 'kind' | 'put' | 'take' | 'rename'>;

/** Why the server does not run before anything is touched; null when it does, or when nothing is known against it. */
export async function failingNow(
	seen: Observation,
	{ list }: Pick<Operations, 'list'>
): Promise<Failing | null> {
	if (seen.state === 'stopped') return seen.failed ?? null;
	if (seen.state !== 'crashed' && seen.state !== 'starting') return null;
	const crash = crashSeen(seen);
	if (crash) return failingOf(crash.diagnosis, crash.reason ?? 'It crashed.');
	// It hangs in its start, and whoever began that has given up on it.
	const begun = (await list()).find(
		({ kind, state, kept }) => state !== 'running' && (STARTS.includes(kind) || kept)
	);
	const cause = begun?.state === 'failed' ? begun.cause : null;
	return cause && { code: HANGS, message: cause.message, log: [], mods: cause.mods };
}

const STARTS = ['start', 'restart'];
const HANGS = 'hangs';

/** The same of a diagnosis, or of a failure without one: then it was not ready in time, or does not answer. */
export function failingOf(diagnosis: Diagnosis | null, otherwise: string, wasReady = false) {
	const { code, message, log, mods } = diagnosis ?? {
		...{ code: wasReady ? 'silent' : HANGS, message: otherwise },
		...{ log: [], mods: [] }
	};
	return { code, message, log, mods } satisfies Failing;
}

/** How it compares with the failure before; `among`: it was one of several then. */
export type Verdict = 'same' | 'among' | 'other' | 'unknown-before';

/** Why the change stays: what keeps the server down did so before, or is something else; null when it may be to blame. */
export function verdictOf(facts: {
	/** Null when it is not known to have failed before. */
	before: Failing | null;
	after: Failing;
	/** What the failure comes from; null for one that has no diagnosis. */
	diagnosis: Diagnosis | null;
	/** Null for a snapshot that was put back. */
	change: Changed | null;
}): Verdict | null {
	const { before, after, diagnosis, change } = facts;
	if (!before) return change && isHarmless(change) ? 'unknown-before' : null;
	if (isSame(before, after)) return 'same';
	if (diagnosis && isOutside(diagnosis)) return 'other';
	if (!change) return null;
	const blamed = namesOf(change).some((name) => isNamed(name, after));
	if (blamed) return null;
	const among =
		before.code === after.code &&
		after.mods.length > 0 &&
		after.mods.every((mod) => before.mods.includes(mod));
	if (among && (isFewer(change) || change.kind === 'update')) return 'among';
	// With fewer mods than before the change gets the benefit of the doubt.
	return isFewer(change) ? 'other' : null;
}

/** Found by whatever starts the game, whichever mods there are. */
export const isOutside = ({ code, restartable }: Pick<Diagnosis, 'code' | 'restartable'>) =>
	OUTSIDE.includes(code) || (code === 'unknown' && !restartable);
const OUTSIDE: readonly Diagnosis['code'][] = ['eula', 'port', 'java-missing', 'world-locked'];

const isDisabled = (fileName: string) => fileName.endsWith('.disabled');
const isFewer = ({ put, rename }: Changed) =>
	put.length === 0 && rename.every(({ to }) => isDisabled(to));
/** What the game could not load is not missed by it. */
const isHarmless = (change: Changed) =>
	isFewer(change) && [...change.take, ...change.rename].every(({ damaged }) => damaged);

function isSame(before: Failing, after: Failing): boolean {
	const told = (one: Failing) => withoutMoments(one.message);
	if (before.code !== after.code) return false;
	if (before.code === HANGS) return true;
	if (told(before) !== told(after)) return false;
	if ([...before.mods].sort().join('\n') !== [...after.mods].sort().join('\n')) return false;
	// Its message says little: its last words are compared as well.
	return before.code !== 'unknown' || linesOf(before) === linesOf(after);
}

/** Without what differs from one time to the next: times, durations, process ids, addresses in memory. */
const withoutMoments = (text: string) =>
	text
		.replace(/\b\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?/g, '')
		.replace(/\b0x[\da-f]+|@[\da-f]{4,}/gi, '')
		.replace(/\b\d+(?:[.,]\d+)? ?(?:ms|s|seconds?|min|minutes?)\b/g, '')
		.replace(/\bpid[ =:]*\d+/gi, '');
const linesOf = ({ log }: Failing) =>
	log.map((line) => line.replace(/^(?:\[[^\]]*\] ?)+:? ?/, '').replace(/\d+/g, '')).join('\n');

/** Of all mods that change: their ids, and the names of their files. */
const namesOf = ({ put, take, rename }: Changed): string[] => [
	...[...put, ...take].map(({ fileName }) => bare(fileName)),
	...rename.map(({ from }) => bare(from)),
	...[...put, ...take, ...rename].flatMap(({ ids = [] }) => ids)
];
const bare = (fileName: string) => fileName.replace(/\.jar(?:\.disabled)?$/, '');

function isNamed(name: string, { message, log, mods }: Failing): boolean {
	const wanted = name.toLowerCase();
	if (mods.some((mod) => bare(mod.toLowerCase()) === wanted)) return true;
	// Quoted, in parentheses, or as a part of a path or a class: many ids are words as well.
	const escaped = RegExp.escape(wanted);
	const marked = new RegExp(`['"(/.\\[]${escaped}(?:\\.jar)?['")/.:@\\]]|\\b${escaped}\\.jar\\b`);
	return [message, ...log].some((text) => marked.test(text.toLowerCase()));
}
