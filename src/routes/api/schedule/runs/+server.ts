import { endpoint } from '#core/http';

export const GET = endpoint(async ({ locals }) => ({ runs: await locals.app.schedule.runs() }));
