import { endpoint } from '#core/http';

export const GET = endpoint('GET /api/logs/files/[name]', async ({ params, locals }) => {
	const file = await locals.app.logs.download(params.name, locals.session!.user.role);
	return new Response(file.stream, {
		headers: {
			'content-type': 'text/plain; charset=utf-8',
			'content-disposition': file.disposition,
			'x-content-type-options': 'nosniff',
			'cache-control': 'no-store'
		}
	});
});
