import { endpoint } from '#core/http';

export const GET = endpoint('GET /api/setup', async ({ locals }) => ({
	steps: await locals.app.firstRun.steps()
}));
