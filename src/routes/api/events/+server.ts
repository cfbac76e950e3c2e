import { endpoint } from '#core/http';

export const GET = endpoint('GET /api/events', ({ locals, reader }) =>
	locals.app.live.open(reader)
);
