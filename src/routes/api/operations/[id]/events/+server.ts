import { endpoint } from '#core/http';

export const GET = endpoint('GET /api/operations/[id]/events', ({ params, locals, reader }) =>
	locals.app.live.watch(params.id, reader)
);
