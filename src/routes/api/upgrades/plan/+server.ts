import { endpoint } from '#core/http';

export const POST = endpoint('POST /api/upgrades/plan', async ({ body, locals }) => ({
	plan: await locals.app.upgrades.plan(body)
}));
