import { accepted, endpoint } from '#core/http';

export const POST = endpoint('POST /api/snapshots/[id]/restore', async ({ params, body, locals }) =>
	accepted(await locals.app.snapshots.restore(params.id, body, locals.actor))
);
