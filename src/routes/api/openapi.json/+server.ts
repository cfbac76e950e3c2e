import { endpoint } from '#core/http';

export const GET = endpoint('GET /api/openapi.json', ({ locals }) => locals.app.openapi());
