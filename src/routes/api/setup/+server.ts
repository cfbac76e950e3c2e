import { endpoint } from '#core/http';

export const GET = endpoint(async ({ locals }) => ({ steps: await locals.app.firstRun.steps() }));
