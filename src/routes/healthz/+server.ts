import { endpoint } from '$lib/server/core/http';

export const GET = endpoint(({ locals }) => ({ ok: true, version: locals.app.env.version }));
