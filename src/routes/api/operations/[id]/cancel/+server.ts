import { OperationRef } from '$lib/schemas/operation';
import { Empty } from '$lib/schemas/server';
import { command, parseParams } from '#core/http';

export const POST = command(Empty, async (_input, { locals, params }) => ({
	operation: await locals.app.operations.cancel(parseParams(OperationRef, params).id, locals.actor)
}));
