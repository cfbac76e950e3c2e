import { accepted, endpoint } from '#core/http';

export const POST = endpoint('POST /api/server/restart', async ({ body, locals }) =>
	accepted(await locals.app.power.restart(body, locals.actor))
);
