import { Empty } from '$lib/schemas/server';
import { command } from '#core/http';

export const POST = command(Empty, async (_input, { locals }) => ({
	ok: true,
	...(await locals.app.power.kill(locals.actor))
}));
