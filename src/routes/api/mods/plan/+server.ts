import { endpoint } from '#core/http';

export const POST = endpoint('POST /api/mods/plan', async ({ body, locals }) => ({
	plan: await locals.app.mods.plan(body, locals.session!.user.role)
}));
