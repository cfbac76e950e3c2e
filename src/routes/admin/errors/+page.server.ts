import { z } from 'zod';
import { CLIENT_ERRORS_MAX } from '$lib/schemas/client-error';
import { page, parse } from '#core/http';

const SHOWN = 30;
const View = z.object({ all: z.literal('1').optional().catch(undefined) });

export const load = page('page /admin/errors', async ({ locals, url, isDataRequest }) => {
	const { all } = parse(View, Object.fromEntries(url.searchParams));
	const found = locals.app.clientErrors.list({ limit: all ? CLIENT_ERRORS_MAX : SHOWN });
	// Awaited for a full page load; in a running app a skeleton is shown meanwhile.
	return { all: all !== undefined, found: isDataRequest ? found : await found };
});
