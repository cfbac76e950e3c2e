import { endpoint } from '#core/http';

export const GET = endpoint('GET /api/upgrades/kept', async ({ locals }) => ({
	kept: await locals.app.upgrades.kept()
}));
