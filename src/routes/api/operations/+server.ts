import { OperationList } from '$lib/schemas/operation';
import { query } from '$lib/server/core/http';

export const GET = query(OperationList, async ({ limit }, { locals }) => ({
	operations: await locals.app.operations.list(limit)
}));
