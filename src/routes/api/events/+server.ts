import { endpoint } from '#core/http';
import { readerOf } from '#core/sse';

export const GET = endpoint((event) => event.locals.app.live.open(readerOf(event)));
