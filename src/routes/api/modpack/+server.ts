import { accepted, endpoint, hasNewest } from '#core/http';

/** Caches ask each time: it changes with the mods. */
const CACHE = 'public, no-cache';

export const GET = endpoint('GET /api/modpack', async ({ locals, request }) => {
	const pack = await locals.app.modpack.download();
	const headers = { etag: pack.etag, 'cache-control': CACHE };
	if (hasNewest(request, pack.etag)) return new Response(null, { status: 304, headers });
	return new Response(request.method === 'HEAD' ? null : await pack.stream(), {
		headers: {
			...headers,
			'content-type': 'application/x-modrinth-modpack+zip',
			'content-length': String(pack.bytes),
			'content-disposition': pack.disposition,
			'x-content-type-options': 'nosniff'
		}
	});
});

export const POST = endpoint('POST /api/modpack', async ({ locals }) =>
	accepted(await locals.app.modpack.rebuild(locals.actor))
);
