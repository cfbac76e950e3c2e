import { endpoint, hasNewest } from '#core/http';

/** As long as the server is not looked at again for it. */
const CACHE = 'public, max-age=60';

/** The query string is ignored: there is only one picture. */
export const GET = endpoint('GET /og.png', async ({ locals, request }) => {
	const { bytes, etag } = await locals.app.previews.get();
	const headers = { etag, 'cache-control': CACHE };
	if (hasNewest(request, etag)) return new Response(null, { status: 304, headers });
	return new Response(bytes, {
		headers: {
			...headers,
			'content-type': 'image/png',
			'content-length': String(bytes.length),
			'x-content-type-options': 'nosniff'
		}
	});
});
