import { PlayerRef, REASON_MAX } from '$lib/schemas/player';
import { page, parseParams, within } from '#core/http';
import { playerActions } from '../actions';
import type { Actions } from './$types';

/** The first reading of very many files takes longer. */
const PATIENCE_MS = 1_500;

export const load = page(async ({ locals: { app }, params }) => {
	const { uuid } = parseParams(PlayerRef, params);
	const numbers = app.stats.of(uuid).then((found) => ({ found }));
	const [shown, statistics] = await Promise.all([
		app.players.find(uuid),
		within(PATIENCE_MS, numbers)
	]);
	return { shown, statistics, limits: { reason: REASON_MAX } };
});

export const actions = playerActions satisfies Actions;
