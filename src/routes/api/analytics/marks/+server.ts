import { AnalyticsQuery, type MetricEvents } from '$lib/schemas/analytics';
import { query } from '#core/http';

export const GET = query(AnalyticsQuery, async (input, { locals }): Promise<MetricEvents> => {
	const { analytics } = locals.app;
	return { events: await analytics.events(await analytics.read(input)) };
});
