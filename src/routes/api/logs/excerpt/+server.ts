import { LogPageQuery } from '$lib/schemas/log-page';
import { query } from '#core/http';
import { unlessGone } from '../unless-gone';

const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };

export const GET = query(LogPageQuery, (input, { locals, request }) =>
	unlessGone(
		request,
		async (signal) => new Response(await locals.app.logs.excerpt(input, signal), { headers })
	)
);
