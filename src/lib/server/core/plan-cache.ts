import { randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';
import { AppError } from './errors.ts';
import { createTtlMap } from './ttl-cache.ts';

export const PLAN_KEPT_MS = 30 * 60_000;

/** Plans that people have been shown: exactly these are carried out, within half an hour and by this process. */
export function createPlanCache<Plan>({ clock, max }: { clock: Clock; max: number }) {
	const plans = createTtlMap<string, Plan>({ ttlMs: PLAN_KEPT_MS, max, clock });
	return {
		/** Returns its id. */
		keep(plan: Plan, id = randomBytes(16).toString('hex')): string {
			plans.set(id, plan);
			return id;
		},
		find: (id: string): Plan | null => plans.get(id) ?? null,
		/** `AppError('not-found')` for a plan that is no longer kept. */
		get(id: string): Plan {
			const plan = plans.get(id);
			if (plan === undefined)
				throw new AppError(
					'not-found',
					'This plan has expired or has already been carried out. Make a new one.'
				);
			return plan;
		},
		forget: plans.forget
	};
}
export type PlanCache<Plan> = ReturnType<typeof createPlanCache<Plan>>;
