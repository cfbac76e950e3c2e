import { accepted, endpoint } from '#core/http';

export const POST = endpoint('POST /api/software/apply', async ({ body, locals }) =>
	accepted(await locals.app.software.apply(body, locals.actor))
);
