import { endpoint } from '#core/http';
import { readerOf } from '#core/sse';
import type { RequestEvent } from './$types';

export const GET = endpoint((event: RequestEvent) =>
	event.locals.app.live.watch(event.params.id, readerOf(event))
);
