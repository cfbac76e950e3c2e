import { page } from '$lib/server/core/http';

export const load = page(async ({ locals }) => ({ status: await locals.app.status.get() }));
