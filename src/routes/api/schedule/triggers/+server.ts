import { endpoint } from '#core/http';

export const GET = endpoint('GET /api/schedule/triggers', ({ locals }) =>
	locals.app.triggers.list()
);

export const POST = endpoint('POST /api/schedule/triggers', async ({ body, locals }) => ({
	trigger: await locals.app.triggers.add(body, locals.actor)
}));
