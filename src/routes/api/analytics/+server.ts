import { AnalyticsQuery } from '$lib/schemas/analytics';
import { query } from '#core/http';

export const GET = query(AnalyticsQuery, (input, { locals }) => locals.app.analytics.read(input));
