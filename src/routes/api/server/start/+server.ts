import { accepted, endpoint } from '#core/http';

export const POST = endpoint('POST /api/server/start', async ({ body, locals }) =>
	accepted(await locals.app.power.start(body, locals.actor))
);
