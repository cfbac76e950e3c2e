import { PlanRequest } from '$lib/schemas/mod';
import { command } from '#core/http';

export const POST = command(PlanRequest, async (input, { locals }) => ({
	plan: await locals.app.mods.plan(input, locals.session!.user.role)
}));
