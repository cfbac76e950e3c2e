import { endpoint } from '$lib/server/core/http';
import { inPieces } from '../stats/pieces';

export const GET = endpoint(async ({ locals }) => {
	const { players } = await locals.app.stats.playtime();
	return inPieces(players);
});
