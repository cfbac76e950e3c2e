import path from 'node:path';
import type { Upgrades as Answer } from '#schemas/mod';
import type { Operation } from '#schemas/operation';
import type { UpgradePlan, UpgradeStart, UpgradeWish } from '#schemas/software/upgrade';
import { day } from '#schemas/plain/day';
import type { GoBack, GoBackPlan, KeptServer } from '#schemas/software/kept';
import type { Actor } from '#core/actor';
import { AppError } from '#core/errors';
import { createPlanCache } from '#core/plan-cache';
import { beginAudited, countdownOf, inTheWay } from '#operations';
import { failedUpgrades } from './failed.ts';
import { defineUpgrade } from './operation.ts';
import { defineGoBack, type GoBackInput } from './go-back/operation.ts';
import { describeAll, planGoBack, titleOf as nameOf } from './go-back/plan.ts';
import { listKept, PREFIX, removeKept } from './original.ts';
import { planUpgrade, type Draft } from './plan.ts';
import { createReadinessList } from './readiness-list.ts';
import type { Deps } from './types.ts';

export { createReadinessList } from './readiness-list.ts';
export { keptSnapshots, tidyOriginals } from './original.ts';
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
	/** The servers that were put aside by upgrades that went well, newest first. */
	kept(): Promise<KeptServer[]>;
	/** What bringing it back would do, by the upgrade's id. `AppError('not-found')`. */
	planGoBack(id: string): Promise<GoBackPlan>;
	/** `AppError('conflict')` says why it cannot be brought back. */
	goBack(id: string, wish: GoBack, by: Actor): Promise<Operation>;
	/** Removes it before its time. `AppError` `not-found`; `conflict` while an operation holds the server. */
	removeKept(id: string, by: Actor): Promise<void>;
	/** Before operations run or are recovered. */
	define(): void;
}

const PLANS_MAX = 20;

export function createUpgrades(deps: Deps): Upgrades {
	const { clock, operations, audit } = deps;
	const plans = createPlanCache<Draft>({ clock, max: PLANS_MAX });

	/** What came of an earlier one to the same version. */
	async function failedBefore(subject: string): Promise<string[]> {
		const all = await operations.list();
		const last = all.find(
			(one) => one.kind === 'upgrade' && one.subject === subject && one.state !== 'running'
		);
		if (last?.state === 'succeeded') {
			const back = await backFrom(last.id, all);
			return back ? [`You went back from it on ${day(back.finishedAt ?? back.startedAt)}.`] : [];
		}
		if (!last || (last.state !== 'rolled-back' && last.state !== 'failed')) return [];
		const at = day(last.finishedAt ?? last.startedAt);
		return [`The last upgrade to it, on ${at}, failed: ${last.cause?.message ?? 'see its page.'}`];
	}

	/** The last time that somebody went back from this upgrade. */
	async function backFrom(upgrade: string, all: Operation[]): Promise<Operation | null> {
		for (const one of all) {
			if (one.kind !== 'go-back' || one.state !== 'succeeded') continue;
			const how = (await deps.attempt(one.id)) as GoBackInput | null;
			if (how?.kept === upgrade) return one;
		}
		return null;
	}

	const titleOf = ({ input }: Draft) => deps.software.title(input.target);

	const rootOf = (id: string) => path.join(deps.serverDir, `${PREFIX}${id}`);
	async function find(id: string) {
		const kept = (await listKept(deps.serverDir)).find((one) => one.id === id);
		if (!kept) throw new AppError('not-found', 'Nothing is kept from that upgrade any more.');
		return kept;
	}

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
		kept: async () => describeAll(await listKept(deps.serverDir), deps),
		planGoBack: async (id) => planGoBack(await find(id), deps),
		async goBack(id, { backupFirst, ...when }, by) {
			const kept = await find(id);
			const subject = nameOf(kept.aside);
			return beginAudited({ by, action: 'software.go-back', subject }, audit, async () => {
				if (!operations.busy()) {
					const { refusal } = (await planGoBack(kept, deps)).server;
					if (refusal) throw new AppError('conflict', refusal);
				}
				const countdown = countdownOf(when);
				const wish = { backupFirst, ...(countdown && { countdown }) };
				return operations.run('go-back', { ...wish, kept: id, by: by.name }, by, subject);
			});
		},
		async removeKept(id, by) {
			const { aside } = await find(id);
			const busy = operations.busy();
			if (busy) throw inTheWay(busy);
			if (!deps.lock.tryAcquire())
				throw new AppError(
					'conflict',
					'The server is being changed. Try again when that has finished.'
				);
			try {
				await find(id);
				await removeKept(rootOf(id));
			} finally {
				deps.lock.release();
			}
			await audit(by, 'software.remove-kept', { subject: id, detail: nameOf(aside) });
		},
		define() {
			operations.define(defineUpgrade(deps));
			operations.define(defineGoBack(deps));
		}
	};
}
