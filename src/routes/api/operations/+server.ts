import { OperationList } from '$lib/schemas/operation';
import { query } from '#core/http';

export const GET = query(OperationList, async ({ limit }, { locals }) => ({
	operations: await locals.app.operations.list(limit)
}));
