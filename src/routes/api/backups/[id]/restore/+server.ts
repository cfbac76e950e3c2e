import { accepted, endpoint } from '#core/http';

export const POST = endpoint('POST /api/backups/[id]/restore', async ({ params, body, locals }) =>
	accepted(await locals.app.backups.restore(params.id, body, locals.actor))
);
