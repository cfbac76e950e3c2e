import type { PlanRequest } from '#schemas/mod';
import { day } from '#schemas/plain/day';
import { listed } from '#schemas/plain/words/listed';
import { failedHow } from '#schemas/plain/offered';
import { AppError } from '#core/errors';
import type { Registry } from '#registry';
import type { Known } from '../known.ts';
import { targetOf } from '../target.ts';
import type { Updates } from '../updates.ts';
import { createCatalogue } from './catalogue.ts';
import { readChangelogs } from './changelogs.ts';
import { checkSet } from './check.ts';
import { kindOf } from './describe.ts';
import { finish, type Planned } from './finish.ts';
import { findDependents, type Dependent } from './dependents.ts';
import { createDraft, type Draft } from './draft.ts';
import { installedJars } from './jars.ts';
import { findOrphans } from './orphans.ts';
import { applyRequest, guard, locked, type Context } from './request.ts';
import { resolve } from './resolve.ts';
import type { Rules } from './set.ts';
import type { Jar } from './types.ts';

export type { Planned } from './finish.ts';
export { jarProblem } from './jar-problem.ts';
export { newestFirst } from './catalogue.ts';
export { modsFor } from './jars.ts';
export { planChanged } from './changed.ts';
export { locked } from './request.ts';
export type { Rules } from './set.ts';
export { planUpload } from './upload.ts';
export { mayHaveContent } from './world.ts';

export type PlanDeps = {
	registry: Pick<Registry, 'projects' | 'versions' | 'versionsOf'>;
	newest: Updates['newest'];
	satisfies: Rules['satisfies'];
};

type Wish = {
	request: PlanRequest;
	known: Known;
	mayTouchLocked: boolean;
	/** Only for people to read. */
	changelogs: boolean;
};

/**
 * Works out what a request comes to, without touching anything. AppError `not-found`, `invalid`, `forbidden`,
 * `conflict` (a server without mods), `upstream`, `timeout`; what cannot work is a blocking warning of the plan.
 */
export async function makePlan(deps: PlanDeps, wish: Wish): Promise<Planned> {
	const { request, known, mayTouchLocked } = wish;
	const target = targetOf(known.server);
	refuseUnreadable(known, request);
	const catalogue = createCatalogue(deps.registry, target, known.projects);
	const rules = { target, satisfies: deps.satisfies };
	const draft = createDraft(installedJars(known, target));
	const newest = (jars: Jar[]) => deps.newest(jars, known.server);
	const context = { catalogue, newest, mayTouchLocked };
	await applyRequest(draft, request, context);
	await resolve(draft, { context, rules });
	const dependents = takeDependents(draft, request, { context, rules });
	const orphans = takeOrphans(draft, request.removeOrphans ?? false);
	checkSet(draft, rules);
	warnOfFailed(draft, known);
	const changelogs = wish.changelogs ? await readChangelogs(draft, catalogue) : () => [];
	const kind = kindOf(request);
	return finish(draft, { known, target, kind, dependents, orphans, changelogs });
}

/** As many of those that failed together are told apart. */
const NAMED = 3;

/** A link, a folder, a file that is being written to: what would be lost with it is unknown. */
function refuseUnreadable({ files }: Known, { update, enable, disable, remove }: PlanRequest) {
	const named = new Set([update, enable, disable, remove].flatMap((names) => names ?? []));
	const file = files.find(
		({ fileName, regular, sha512 }) => named.has(fileName) && (!regular || sha512 === null)
	);
	if (!file) return;
	const why = file.facts.ok ? 'It cannot be read.' : file.facts.problem;
	throw new AppError('conflict', `${file.fileName} is left alone. ${why}`, { code: 'not-a-file' });
}

/** The mods to offer that cannot stay without what is removed or disabled; those that were asked for leave with it. */
function takeDependents(
	draft: Draft,
	{ remove = [], disable = [], removeDependents = false }: PlanRequest,
	{ context, rules }: { context: Context; rules: Rules }
): Dependent[] {
	const dependents = remove.length || disable.length ? findDependents(draft, rules) : [];
	if (!remove.length || !removeDependents) {
		const held = dependents.filter(({ jar }) => jar.locked && !context.mayTouchLocked);
		const action = remove.length ? 'removed' : 'disabled';
		for (const { jar } of held) draft.warn('locked', locked(jar, action).message, true);
		return held.length ? [] : dependents;
	}
	for (const { jar, needs } of dependents) {
		guard(jar, 'removed', context);
		draft.change({ is: 'remove', old: jar, reason: `needs ${needs.title}` });
	}
	return [];
}

/**
 * A person who asks for it by name may try it again; they are told what happened the last time. What failed together is
 * said once: each of them may be innocent.
 */
function warnOfFailed(draft: Draft, { failure }: Known) {
	const before = draft.changes.flatMap((one) => {
		if (one.is !== 'add' && one.is !== 'replace') return [];
		const failed = failure(one.jar.sha512);
		return failed ? [{ failed, named: `${one.jar.title} ${failed.version}` }] : [];
	});
	const isKnown = ({ failed }: (typeof before)[number]) => failed.certain || failed.alone;
	for (const { failed, named } of before.filter(isKnown))
		draft.warn('failed-here', `${named} ${failedHow(failed)} here on ${day(failed.at)}.`);
	const sets = Object.groupBy(
		before.filter((one) => !isKnown(one)),
		({ failed }) => failed.operationId
	);
	const changed = draft.changes.length;
	for (const [operationId, set = []] of Object.entries(sets)) {
		const { failed } = set[0]!;
		const on = day(failed.at);
		const who =
			set.length === changed && changed > NAMED
				? `These ${changed}`
				: listed(
						set.map(({ named }) => named),
						NAMED
					);
		const words =
			set.length === 1
				? `${who} was part of a change on ${on} with which the server ${failedHow(failed)}.`
				: `${who} were tried together on ${on}, and the server ${failedHow(failed)}.`;
		draft.warnOfTrial('failed-here', words, operationId);
	}
}

/** The libraries to offer; those that were asked for leave with the rest. */
function takeOrphans(draft: Draft, remove: boolean): Jar[] {
	const orphans = findOrphans(draft);
	if (!remove) return orphans;
	for (const old of orphans)
		draft.change({ is: 'remove', old, reason: 'nothing needs it any more' });
	return [];
}
