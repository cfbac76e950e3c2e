import { accepted, endpoint } from '#core/http';

export const POST = endpoint('POST /api/software/java', async ({ body, locals }) =>
	accepted(await locals.app.software.fetchJava(body.major, locals.actor))
);
