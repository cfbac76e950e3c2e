import { endpoint } from '#core/http';

export const GET = endpoint('GET /api/analytics/now', ({ locals }) => locals.app.analytics.now());
