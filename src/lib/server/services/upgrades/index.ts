import type { Upgrades as Answer } from '#schemas/mod';
import type { Operation } from '#schemas/operation';
import type { UpgradePlan, UpgradeStart, UpgradeWish } from '#schemas/software/upgrade';
import { day } from '#schemas/plain/day';
import type { Actor } from '#core/actor';
import { createPlanCache } from '#core/plan-cache';
import { beginAudited, countdownOf } from '#operations';
import { failedUpgrades } from './failed.ts';
import { defineUpgrade } from './operation.ts';
import { planUpgrade, type Draft } from './plan.ts';
import { createReadinessList } from './readiness-list.ts';
import type { Deps } from './types.ts';

export { createReadinessList } from './readiness-list.ts';
export { tidyOriginals } from './original.ts';
export type { Deps as UpgradesDeps } from './types.ts';

/** Which newer game versions the installed mods support, and how the server goes to one of them. */
export interface Upgrades {
	/**
	 * At most 30 minutes old unless `refresh`; when the registry or the version lists fail, the last result, with
	 * its age. AppError `upstream`, `timeout`; `conflict` when the game version is not known.
	 */
	list(refresh: boolean): Promise<Answer>;
	/** Why the game cannot be exchanged from here, and what to do by hand; null when it can. */
	refusal(): Promise<string | null>;
	/** AppError `conflict` with code `late-mods` names those that have no version for it and are not to be parked. */
	plan(wish: UpgradeWish): Promise<UpgradePlan>;
	/** A plan that was made a moment ago. */
	planned(planId: string): Promise<UpgradePlan | null>;
	/** `AppError('not-found')`: the plan is too old. Exactly what was planned is done. */
	start(wish: UpgradeStart, by: Actor): Promise<Operation>;
	/** Before operations run or are recovered. */
	define(): void;
}

const PLANS_MAX = 20;

export function createUpgrades(deps: Deps): Upgrades {
	const { clock, operations, audit } = deps;
	const plans = createPlanCache<Draft>({ clock, max: PLANS_MAX });

	/** What came of an earlier one to the same version. */
	async function failedBefore(subject: string): Promise<string[]> {
		const last = (await operations.list()).find(
			(one) => one.kind === 'upgrade' && one.subject === subject && one.state !== 'running'
		);
		if (!last || (last.state !== 'rolled-back' && last.state !== 'failed')) return [];
		const at = day(last.finishedAt ?? last.startedAt);
		return [`The last upgrade to it, on ${at}, failed: ${last.cause?.message ?? 'see its page.'}`];
	}

	const titleOf = ({ input }: Draft) => deps.software.title(input.target);

	return {
		list: createReadinessList({ ...deps, failed: () => failedUpgrades(deps) }),
		refusal: async () => deps.refusal,
		async plan(wish) {
			const { input, words } = await planUpgrade(wish, deps);
			const before = await failedBefore(titleOf({ input, words }));
			const draft = { input, words: { ...words, warnings: [...before, ...words.warnings] } };
			return { id: plans.keep(draft), ...draft.words };
		},
		async planned(id) {
			const draft = plans.find(id);
			return draft ? { id, ...draft.words } : null;
		},
		async start({ planId, skipTrial, ...when }, by) {
			const draft = plans.get(planId);
			const countdown = countdownOf(when);
			const subject = titleOf(draft);
			return beginAudited({ by, action: 'software.upgrade', subject }, audit, async () => {
				await deps.mods.ensure(draft.input.change);
				const wish = { ...(skipTrial && { skipTrial }), ...(countdown && { countdown }) };
				const input = { ...draft.input, ...wish, by: by.name };
				const operation = await operations.run('upgrade', input, by, subject);
				plans.forget(planId);
				return operation;
			});
		},
		define: () => operations.define(defineUpgrade(deps))
	};
}
