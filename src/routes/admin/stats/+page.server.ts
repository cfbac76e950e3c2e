import { page, within } from '#core/http';

/** The first reading of very many files takes longer: then the page says how far it is. */
const PATIENCE_MS = 1_500;

export const load = page('page /admin/stats', async ({ locals: { app }, query }) => {
	const board = await within(PATIENCE_MS, app.stats.board(query));
	return { query, board, reading: board ? null : app.stats.progress() };
});
