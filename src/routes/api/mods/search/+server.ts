import { endpoint } from '#core/http';

export const GET = endpoint('GET /api/mods/search', ({ query, locals }) =>
	locals.app.mods.search(query)
);
