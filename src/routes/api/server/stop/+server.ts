import { PowerRequest } from '$lib/schemas/server';
import { accepted, command } from '#core/http';

export const POST = command(PowerRequest, async (input, { locals }) =>
	accepted(await locals.app.power.stop(input, locals.actor))
);
