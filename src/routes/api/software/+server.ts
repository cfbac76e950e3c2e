import { endpoint } from '#core/http';

export const GET = endpoint('GET /api/software', ({ locals }) => locals.app.software.state());
