import { accepted, endpoint } from '#core/http';

export const POST = endpoint('POST /api/mods/culprit', async ({ locals, body }) =>
	accepted(await locals.app.mods.culprit(body, locals.actor))
);
