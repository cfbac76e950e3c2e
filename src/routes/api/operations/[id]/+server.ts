import { endpoint } from '#core/http';

export const GET = endpoint('GET /api/operations/[id]', async ({ params, locals }) => ({
	operation: await locals.app.operations.get(params.id)
}));
