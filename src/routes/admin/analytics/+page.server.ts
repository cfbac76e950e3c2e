import { FLAGS_MAX, ROWS_MAX, toColumns } from './columns';
import { AnalyticsQuery, POINTS, WINDOW } from '$lib/schemas/analytics';
import { page, parse } from '#core/http';
import { fromForm } from './view';

const MINUTE_MS = 60_000;
/** What the address asks for; nonsense shows the last day. */
const View = AnalyticsQuery.catch({ window: WINDOW, points: POINTS });

export const load = page('page /admin/analytics', async ({ locals: { app }, url }) => {
	const asked = parse(View, fromForm(url.searchParams));
	const table = url.searchParams.get('view') === 'table';
	const points = table ? Math.min(asked.points, ROWS_MAX) : asked.points;
	const answer = await app.analytics.read({ ...asked, points });
	const [events, limits] = await Promise.all([
		app.analytics.events(answer),
		app.analytics.limits()
	]);
	const reachesNow = Date.parse(answer.to) > Date.now() - MINUTE_MS;
	return {
		/** Null when the time shown is over. */
		now: reachesNow ? app.analytics.now() : null,
		window: asked.from === undefined ? (asked.window ?? WINDOW) : null,
		...{ table, points },
		columns: toColumns(answer),
		limits,
		events: events.slice(-FLAGS_MAX)
	};
});
