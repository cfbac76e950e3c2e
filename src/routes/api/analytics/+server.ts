import { endpoint } from '#core/http';

export const GET = endpoint('GET /api/analytics', ({ query, locals }) =>
	locals.app.analytics.read(query)
);
