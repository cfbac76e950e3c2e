import type { Operation } from '$lib/schemas/operation';
import type { QuerySource } from './queries.svelte.ts';

/** Seldom, because the stream tells; without one (the public page) it is the only news. */
export const STATUS_POLL_MS = 60_000;

/** `['status']` */
export const STATUS: QuerySource = { url: '/api/status', pollMs: STATUS_POLL_MS };
/** `['operations']` */
export const OPERATIONS: QuerySource = {
	url: '/api/operations',
	pick: ({ operations }: { operations: Operation[] }) => operations
};
