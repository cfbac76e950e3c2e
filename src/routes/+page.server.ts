import type { Status } from '$lib/schemas/status';
import { page } from '#core/http';

/** What everybody may see; which mods are missing from the pack is shown only to people who are logged in. */
export const load = page(
	'page /',
	async ({ locals: { app, session }, url, isDataRequest, setHeaders }) => {
		// The one page that the service worker may keep for when there is no network.
		if (!session && !isDataRequest) setHeaders({ 'cache-control': 'no-cache', vary: 'Cookie' });
		const [pack, unready, usualStartMs] = await Promise.all([
			app.modpack.info(),
			app.firstRun.unready(),
			app.power.usualStartMs()
		]);
		const status = JSON.parse(await app.status.publicJson()) as Status;
		return {
			status,
			usualStartMs,
			/** Without a server in the folder there is nothing to join, unless one answers. */
			isThere: unready?.server !== false || status.online,
			pack: pack && {
				...pack,
				missing: pack.warnings.length,
				warnings: session ? pack.warnings : []
			},
			/** The address that others should use: the proxy's when there is one. */
			origin: app.env.publicUrl?.origin ?? url.origin
		};
	}
);
