import { accepted, endpoint } from '#core/http';

export const POST = endpoint('POST /api/snapshots/[id]/restore', async ({ params, locals }) =>
	accepted(await locals.app.snapshots.restore(params.id, locals.actor))
);
