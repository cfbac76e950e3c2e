import { endpoint } from '#core/http';

export const GET = endpoint('GET /api/logs', ({ query, locals, request }) =>
	locals.app.logs.read(query, locals.session!.user.role, request.signal)
);
