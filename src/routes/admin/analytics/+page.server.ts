import { FLAGS_MAX, ROWS_MAX, toColumns } from './columns';
import { AnalyticsQuery, POINTS, WINDOW, windowMs } from '$lib/schemas/analytics';
import { page, parse } from '#core/http';
import { fromForm } from './view';

const MINUTE_MS = 60_000;
/** The shortest that what was measured so far nearly fills comes first. */
const SHORT = ['15m', '1h'];
/** What the address asks for; nonsense shows the last day. */
const View = AnalyticsQuery.catch({ points: POINTS });

/** A day with a few minutes in it shows nothing: a shorter time does. */
async function look(asked: AnalyticsQuery, points: number, app: App.Locals['app']) {
	const answer = await app.analytics.read({ ...asked, points });
	if (asked.from !== undefined) return { window: null, answer };
	if (asked.window !== undefined) return { window: asked.window, answer };
	const first = answer.entries[0];
	const ageMs = first ? Date.parse(answer.to) - Date.parse(first.t) : Infinity;
	const short = SHORT.find((one) => ageMs < windowMs(one));
	if (!short) return { window: WINDOW, answer };
	return { window: short, answer: await app.analytics.read({ window: short, points }) };
}

const isOfDayBefore = (end: string, { from, to }: { from: string; to: string }) =>
	Date.parse(from) < Date.parse(end) && Date.parse(to) > Date.parse(end) - windowMs(WINDOW);

export const load = page('page /admin/analytics', async ({ locals: { app }, url }) => {
	const asked = parse(View, fromForm(url.searchParams));
	const table = url.searchParams.get('view') === 'table';
	const points = table ? Math.min(asked.points, ROWS_MAX) : asked.points;
	const { window, answer } = await look(asked, points, app);
	const [events, limits] = await Promise.all([
		app.analytics.events(answer),
		app.analytics.limits()
	]);
	const reachesNow = Date.parse(answer.to) > Date.now() - MINUTE_MS;
	return {
		/** Null when the time shown is over. */
		now: reachesNow ? app.analytics.now() : null,
		window,
		isMadeUp: app.madeUpUntil !== null && isOfDayBefore(app.madeUpUntil, answer),
		...{ table, points },
		columns: toColumns(answer),
		limits,
		events: events.slice(-FLAGS_MAX)
	};
});
