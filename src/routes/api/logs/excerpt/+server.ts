import { endpoint } from '#core/http';

const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };

export const GET = endpoint(
	'GET /api/logs/excerpt',
	async ({ query, locals, request }) =>
		new Response(await locals.app.logs.excerpt(query, request.signal), { headers })
);
