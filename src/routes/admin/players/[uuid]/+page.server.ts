import { REASON_MAX } from '$lib/schemas/player';
import { formActions, page, within } from '#core/http';
import { playerActions } from '../actions';

/** The first reading of very many files takes longer. */
const PATIENCE_MS = 1_500;

export const load = page('page /admin/players/[uuid]', async ({ locals: { app }, params }) => {
	const { uuid } = params;
	const numbers = app.stats.of(uuid).then((found) => ({ found }));
	const [shown, statistics] = await Promise.all([
		app.players.find(uuid),
		within(PATIENCE_MS, numbers)
	]);
	return { shown, statistics, limits: { reason: REASON_MAX } };
});

export const actions = formActions('page /admin/players/[uuid]', playerActions);
