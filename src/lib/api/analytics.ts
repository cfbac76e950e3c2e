import { Analytics, AnalyticsQuery, MetricEvents, MetricsNow } from '#schemas/analytics';
import { json, page } from './define.ts';

export const analytics = {
	'page /admin/analytics': page({ role: 'admin' }),
	'GET /api/analytics': json({
		role: 'admin',
		summary: 'RAM, CPU, players and ticks over time, in steps',
		query: AnalyticsQuery,
		answers: { 200: Analytics }
	}),
	'GET /api/analytics/marks': json({
		role: 'admin',
		summary: 'What happened to the server in the same time: starts, crashes, changes of mods',
		query: AnalyticsQuery,
		answers: { 200: MetricEvents }
	}),
	'GET /api/analytics/now': json({
		role: 'admin',
		summary: 'The newest measurement, null while nothing is measured',
		answers: { 200: MetricsNow }
	})
};
