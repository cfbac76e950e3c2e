import type { Status } from '$lib/schemas/status';
import { page } from '#core/http';

/** What everybody may see, also when an admin looks. */
export const load = page(
	'page /',
	async ({ locals: { app, session }, url, isDataRequest, setHeaders }) => {
		// The one page that the service worker may keep for when there is no network.
		if (!session && !isDataRequest) setHeaders({ 'cache-control': 'no-cache', vary: 'Cookie' });
		return {
			status: JSON.parse(await app.status.publicJson()) as Status,
			pack: await app.modpack.info(),
			/** What others are told to come back to: a proxy's address when there is one. */
			origin: app.env.publicUrl?.origin ?? url.origin
		};
	}
);
