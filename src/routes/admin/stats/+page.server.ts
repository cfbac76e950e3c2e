import { BoardQuery } from '$lib/schemas/stats';
import { page, parse, within } from '#core/http';

/** The first reading of very many files takes longer: then the page says how far it is. */
const PATIENCE_MS = 1_500;

export const load = page(async ({ locals: { app }, url }) => {
	const query = parse(BoardQuery, Object.fromEntries(url.searchParams));
	const board = await within(PATIENCE_MS, app.stats.board(query));
	return { query, board, reading: board ? null : app.stats.progress() };
});
