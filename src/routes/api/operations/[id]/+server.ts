import { OperationRef } from '$lib/schemas/operation';
import { endpoint, parseParams } from '#core/http';

export const GET = endpoint(async ({ locals, params }) => ({
	operation: await locals.app.operations.get(parseParams(OperationRef, params).id)
}));
