import { endpoint } from '#core/http';
import { inPieces } from '../pieces';

export const GET = endpoint('GET /api/players/stats', async ({ locals }) => {
	const { players, generatedAt } = await locals.app.stats.list();
	return inPieces(players, { generatedAt });
});
