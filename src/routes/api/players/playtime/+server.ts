import { endpoint } from '#core/http';
import { inPieces } from '../pieces';

export const GET = endpoint('GET /api/players/playtime', async ({ locals }) => {
	const { players } = await locals.app.stats.playtime();
	return inPieces(players, {});
});
