import { endpoint } from '#core/http';

export const GET = endpoint('GET /api/players', ({ locals }) => locals.app.players.list());

export const POST = endpoint('POST /api/players', ({ body, locals }) =>
	locals.app.players.act(body, locals.actor)
);
