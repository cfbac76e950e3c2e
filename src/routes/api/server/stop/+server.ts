import { PowerRequest } from '$lib/schemas/server';
import { accepted, command } from '$lib/server/core/http';

export const POST = command(PowerRequest, async (input, { locals }) =>
	accepted(await locals.app.power.stop(input, locals.actor))
);
