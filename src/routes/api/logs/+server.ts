import { LogPageQuery } from '$lib/schemas/log-page';
import { query } from '#core/http';
import { unlessGone } from './unless-gone';

export const GET = query(LogPageQuery, (input, { locals, request }) =>
	unlessGone(request, (signal) => locals.app.logs.read(input, locals.session!.user.role, signal))
);
