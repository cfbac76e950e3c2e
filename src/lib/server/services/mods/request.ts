import type { ModInstall, ModRemove, ModUpdate, PlanRequest } from '#schemas/mod';
import { AppError } from '#core/errors';
import { inTheWay } from '#operations';
import { planChanged } from './plan/index.ts';
import type { Planned } from './plan/index.ts';

/** Something new: its newest version, or the one that is named. */
export type Install = Pick<ModInstall, 'projectId' | 'versionId'>;

/** What a person's request asks of the planner. */
export const installRequest = (wishes: Install[]): PlanRequest => ({
	install: wishes.map(({ projectId, versionId }) => ({
		projectId,
		...(versionId !== undefined && { versionId })
	}))
});
export const removeRequest = ({
	fileNames,
	removeDependents,
	removeOrphans
}: ModRemove): PlanRequest => ({
	remove: fileNames,
	...(removeDependents && { removeDependents }),
	...(removeOrphans && { removeOrphans })
});

/** AppError `plan-changed` when the plan that was shown is for something other than what is requested now. */
export function ofPlan(shown: PlanRequest, request: PlanRequest | { all: ModUpdate['all'] }) {
	const isSame = 'all' in request ? !!shown.update?.length : matches(shown, request);
	if (!isSame) throw planChanged('The plan that you saw is for something else.');
	return shown;
}

function matches(shown: PlanRequest, request: PlanRequest) {
	const lists = ['update', 'enable', 'disable', 'remove'] as const;
	const wishes = request.install ?? [];
	const installs = shown.install ?? [];
	return (
		lists.every((list) => sameNames(shown[list], request[list])) &&
		(wishes.length > 0 || !installs.length) &&
		wishes.every((wished) =>
			installs.some(
				({ projectId, versionId }) =>
					projectId === wished.projectId &&
					(wished.versionId === undefined || versionId === wished.versionId)
			)
		) &&
		(shown.removeDependents ?? false) === (request.removeDependents ?? false) &&
		(shown.removeOrphans ?? false) === (request.removeOrphans ?? false)
	);
}

const sameNames = (a: string[] = [], b: string[] = []) =>
	JSON.stringify([...new Set(a)].sort()) === JSON.stringify([...new Set(b)].sort());

/** AppError `conflict` when it cannot be done, or there is nothing to do. */
export function refuseImpossible({ plan, change }: Planned) {
	const blocking = plan.warnings.filter((warning) => warning.blocking);
	if (blocking.length)
		throw new AppError('conflict', blocking.map(({ message }) => message).join(' '), {
			code: 'plan-blocked'
		});
	if (change.put.length || change.take.length || change.rename.length) return;
	const [kept] = plan.keep;
	const why = kept ? `${kept.title}: ${kept.reason}.` : 'Every mod is up to date.';
	throw new AppError('conflict', `There is nothing to do. ${why}`, { code: 'nothing-to-do' });
}

/** A second request is told what is under way, not that the plan has changed meanwhile. */
export function refuseWhile(running: Parameters<typeof inTheWay>[0] | null) {
	if (running) throw inTheWay(running);
}
