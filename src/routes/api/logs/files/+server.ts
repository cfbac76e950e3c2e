import { endpoint } from '#core/http';

export const GET = endpoint('GET /api/logs/files', ({ locals }) => locals.app.logs.files());
