import { endpoint } from '$lib/server/core/http';

export const GET = endpoint(async ({ locals }) => ({ runs: await locals.app.schedule.runs() }));
