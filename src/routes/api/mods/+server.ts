import { accepted, endpoint, json, watched } from '#core/http';

export const GET = endpoint('GET /api/mods', ({ locals }) => locals.app.mods.list());

export const PATCH = endpoint('PATCH /api/mods', async ({ body, locals }) => {
	const operation = await locals.app.mods.patch(body, locals.actor);
	return operation ? accepted(operation) : json({ ok: true });
});

export const DELETE = endpoint('DELETE /api/mods', async (event) => {
	const { body, locals } = event;
	return watched(await locals.app.mods.remove(body, locals.actor), event);
});
