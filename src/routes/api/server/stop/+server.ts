import { accepted, endpoint } from '#core/http';

export const POST = endpoint('POST /api/server/stop', async ({ body, locals }) =>
	accepted(await locals.app.power.stop(body, locals.actor))
);
