import { endpoint } from '#core/http';

export const GET = endpoint('GET /api/analytics/marks', async ({ query, locals }) => {
	const { analytics } = locals.app;
	return { events: await analytics.events(await analytics.read(query)) };
});
