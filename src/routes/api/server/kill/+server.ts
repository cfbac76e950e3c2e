import { endpoint } from '#core/http';

export const POST = endpoint('POST /api/server/kill', async ({ locals }) => ({
	ok: true,
	...(await locals.app.power.kill(locals.actor))
}));
