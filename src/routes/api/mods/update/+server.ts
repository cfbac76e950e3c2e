import { endpoint, watched } from '#core/http';

export const POST = endpoint('POST /api/mods/update', async (event) => {
	const { body, locals } = event;
	return watched(await locals.app.mods.update(body, locals.actor), event);
});
