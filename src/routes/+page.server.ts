import type { Status } from '$lib/schemas/status';
import { page } from '$lib/server/core/http';

/** What everybody may see, also when an admin looks. */
export const load = page(async ({ locals }) => ({
	status: JSON.parse(await locals.app.status.publicJson()) as Status
}));
