import { accepted, endpoint } from '#core/http';

export const GET = endpoint('GET /api/upgrades', ({ query, locals }) =>
	locals.app.upgrades.list(query.refresh === '1')
);

export const POST = endpoint('POST /api/upgrades', async ({ body, locals }) =>
	accepted(await locals.app.upgrades.start(body, locals.actor))
);
