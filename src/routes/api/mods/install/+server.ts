import { endpoint, watched } from '#core/http';

export const POST = endpoint('POST /api/mods/install', async (event) => {
	const { body, locals } = event;
	return watched(await locals.app.mods.install(body, locals.actor), event);
});
