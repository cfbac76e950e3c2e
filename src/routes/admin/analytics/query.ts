import type { QuerySource } from '$lib/client/queries.svelte.ts';
import type { MetricEvents } from '$lib/schemas/analytics';
import { FLAGS_MAX, toColumns } from './columns';

/** The server's own measurements are kept as long. */
const MEASURES_POLL_MS = 30_000;

/** `['analytics', window, points]`: a window that ends now keeps moving. */
export const measuresOf = (window: string, points: number): QuerySource => ({
	url: `/api/analytics?window=${window}&points=${points}`,
	pick: toColumns,
	pollMs: MEASURES_POLL_MS
});
/** `['analytics', 'now']`, as often as the server measures. */
export const measuredNow: QuerySource = { url: '/api/analytics/now', pollMs: 15_000 };
/** `['analytics', window, points, 'events']` */
export const eventsOf = (window: string, points: number): QuerySource => ({
	url: `/api/analytics/marks?window=${window}&points=${points}`,
	pick: ({ events }: MetricEvents) => events.slice(-FLAGS_MAX),
	pollMs: MEASURES_POLL_MS
});
