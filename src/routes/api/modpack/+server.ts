import { Empty } from '$lib/schemas/server';
import { accepted, command, endpoint } from '#core/http';

/** Caches ask each time: it changes with the mods. */
const CACHE = 'public, no-cache';

export const GET = endpoint(async ({ locals, request }) => {
	const pack = await locals.app.modpack.download();
	const headers = { etag: pack.etag, 'cache-control': CACHE };
	const known = request.headers.get('if-none-match')?.split(',') ?? [];
	if (known.some((tag) => ['*', pack.etag].includes(tag.trim().replace(/^W\//, ''))))
		return new Response(null, { status: 304, headers });
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

export const POST = command(Empty, async (_input, { locals }) =>
	accepted(await locals.app.modpack.rebuild(locals.actor))
);
