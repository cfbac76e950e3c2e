import { accepted, endpoint } from '#core/http';

export const POST = endpoint('POST /api/mods/upload', async ({ file, locals }) =>
	accepted(await locals.app.mods.upload(file, locals.actor))
);
