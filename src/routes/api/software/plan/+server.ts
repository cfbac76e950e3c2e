import { endpoint } from '#core/http';

export const POST = endpoint('POST /api/software/plan', async ({ body, locals }) => ({
	plan: await locals.app.software.plan(body)
}));
