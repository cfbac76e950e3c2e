import { AnalyticsQuery } from '$lib/schemas/analytics';
import { query } from '$lib/server/core/http';

export const GET = query(AnalyticsQuery, (input, { locals }) => locals.app.analytics.read(input));
