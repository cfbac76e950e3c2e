import { endpoint } from '#core/http';

export const GET = endpoint('GET /healthz', ({ locals }) => ({
	ok: true,
	version: locals.app.env.version
}));
