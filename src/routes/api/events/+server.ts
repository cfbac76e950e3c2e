import { endpoint } from '$lib/server/core/http';
import { readerOf } from '$lib/server/core/sse.ts';

export const GET = endpoint((event) => event.locals.app.live.open(readerOf(event)));
