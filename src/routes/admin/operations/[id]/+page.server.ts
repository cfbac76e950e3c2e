import { OperationRef } from '$lib/schemas/operation';
import { Empty } from '$lib/schemas/server';
import { action, page, parse } from '$lib/server/core/http';
import type { Actions } from './$types';

export const load = page(async ({ locals, params }) => ({
	shown: await locals.app.operations.get(parse(OperationRef, params).id)
}));

export const actions = {
	cancel: action(Empty, async (_, { locals, params }) => {
		await locals.app.operations.cancel(parse(OperationRef, params).id, locals.actor);
		return { message: 'The operation is being cancelled.' };
	})
} satisfies Actions;
