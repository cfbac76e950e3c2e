import { endpoint } from '#core/http';

export const GET = endpoint('GET /api/mods/projects/[id]', async ({ params, locals }) => ({
	project: await locals.app.mods.project(params.id)
}));
