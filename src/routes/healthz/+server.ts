import { endpoint } from '#core/http';

export const GET = endpoint(({ locals }) => ({ ok: true, version: locals.app.env.version }));
