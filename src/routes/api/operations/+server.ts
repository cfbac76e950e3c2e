import { endpoint } from '#core/http';

export const GET = endpoint('GET /api/operations', async ({ query, locals }) => ({
	operations: await locals.app.operations.list(query.limit)
}));
