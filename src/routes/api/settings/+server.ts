import { endpoint } from '#core/http';

export const GET = endpoint('GET /api/settings', async ({ locals }) => ({
	settings: await locals.app.settings.get()
}));

export const PATCH = endpoint('PATCH /api/settings', async ({ body, locals }) => {
	const { settings } = await locals.app.settings.change(body, locals.actor);
	return { settings };
});
