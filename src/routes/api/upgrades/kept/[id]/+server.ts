import { accepted, endpoint } from '#core/http';

export const GET = endpoint('GET /api/upgrades/kept/[id]', async ({ params, locals }) => ({
	plan: await locals.app.upgrades.planGoBack(params.id)
}));

export const POST = endpoint('POST /api/upgrades/kept/[id]', async ({ params, body, locals }) =>
	accepted(await locals.app.upgrades.goBack(params.id, body, locals.actor))
);

export const DELETE = endpoint('DELETE /api/upgrades/kept/[id]', ({ params, locals }) =>
	locals.app.upgrades.removeKept(params.id, locals.actor)
);
