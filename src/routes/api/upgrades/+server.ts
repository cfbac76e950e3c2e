import { endpoint } from '#core/http';

export const GET = endpoint('GET /api/upgrades', ({ query, locals }) =>
	locals.app.upgrades.list(query.refresh === '1')
);
