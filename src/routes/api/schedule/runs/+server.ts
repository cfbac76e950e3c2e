import { endpoint } from '#core/http';

export const GET = endpoint('GET /api/schedule/runs', async ({ locals }) => ({
	runs: await locals.app.schedule.runs()
}));
