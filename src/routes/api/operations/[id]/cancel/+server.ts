import { endpoint } from '#core/http';

export const POST = endpoint('POST /api/operations/[id]/cancel', async ({ params, locals }) => ({
	operation: await locals.app.operations.cancel(params.id, locals.actor)
}));
