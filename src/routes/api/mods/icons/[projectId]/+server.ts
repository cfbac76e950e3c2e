import { endpoint } from '#core/http';

/** Icons hardly ever change, and a page shows many. */
const MAX_AGE_S = 24 * 60 * 60;

export const GET = endpoint('GET /api/mods/icons/[projectId]', async ({ params, locals }) => {
	const { bytes, type } = await locals.app.mods.icon(params.projectId);
	return new Response(Buffer.from(bytes), {
		headers: {
			'content-type': type,
			'x-content-type-options': 'nosniff',
			'content-security-policy': "default-src 'none'",
			'cache-control': `private, max-age=${MAX_AGE_S}`
		}
	});
});
