import { endpoint } from '#core/http';

export const GET = endpoint('GET /api/errors', ({ query, locals }) =>
	locals.app.clientErrors.list(query)
);

export const POST = endpoint('POST /api/errors', ({ body, locals, request }) => {
	if (body)
		locals.app.clientErrors.report(body, {
			userAgent: request.headers.get('user-agent'),
			address: locals.actor.address,
			account: locals.session?.user.name ?? null
		});
});
