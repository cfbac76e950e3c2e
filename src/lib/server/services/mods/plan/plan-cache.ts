import type { PlanRequest } from '#schemas/mod';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import { createTtlMap } from '#core/ttl-cache';

const KEPT_MAX = 200;
const KEPT_MS = 30 * 60_000;

/** The request that a plan shown earlier was made for. */
export interface PlanCache {
	keep(id: string, request: PlanRequest): void;
	/** AppError `conflict` with code `plan-changed` when it is too old or was made by an earlier process. */
	request(id: string): PlanRequest;
}

export const planChanged = (why: string) =>
	new AppError('conflict', `${why} Look at the new plan, then confirm it.`, {
		code: 'plan-changed'
	});

export function createPlanCache(clock: Clock): PlanCache {
	const plans = createTtlMap<string, PlanRequest>({ ttlMs: KEPT_MS, max: KEPT_MAX, clock });
	return {
		keep: (id, request) => plans.set(id, request),
		request(id) {
			const request = plans.get(id);
			if (!request) throw planChanged('This plan is no longer known.');
			return request;
		}
	};
}
