import { endpoint } from '$lib/server/core/http';
import { readerOf } from '$lib/server/core/sse.ts';
import type { RequestEvent } from './$types';

export const GET = endpoint((event: RequestEvent) =>
	event.locals.app.live.watch(event.params.id, readerOf(event))
);
