import { endpoint } from '#core/http';

export const GET = endpoint('GET /api/mods/updates', ({ query, locals }) =>
	locals.app.mods.updates(query.refresh === '1')
);
