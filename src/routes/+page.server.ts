import type { Status } from '$lib/schemas/status';
import { page } from '$lib/server/core/http';

/** What everybody may see, also when an admin looks. */
export const load = page(async ({ locals: { app } }) => ({
	status: JSON.parse(await app.status.publicJson()) as Status,
	pack: await app.modpack.info()
}));
