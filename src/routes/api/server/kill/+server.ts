import { endpoint } from '#core/http';

export const POST = endpoint('POST /api/server/kill', async ({ locals }) => {
	const { message } = await locals.app.power.kill(locals.actor);
	return { ok: true, message };
});
