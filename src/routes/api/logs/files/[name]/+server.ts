import { endpoint } from '#core/http';
import type { RequestEvent } from './$types';

export const GET = endpoint(async ({ locals, params }: RequestEvent) => {
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
