import { endpoint } from '#core/http';

const TEXT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export const GET = endpoint(
	'GET /metrics',
	({ locals, request }) =>
		new Response(locals.app.exporter.read(request.headers.get('authorization')), {
			headers: { 'content-type': TEXT_TYPE, 'cache-control': 'no-store' }
		})
);
