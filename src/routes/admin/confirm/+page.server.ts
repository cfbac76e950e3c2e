import { z } from 'zod';
import { ANNOUNCEMENT_MAX } from '$lib/schemas/server';
import { toRow } from '$lib/schemas/operation-row';
import { page, parseAddress } from '#core/http';

const Question = z.object({
	do: z.enum(['start', 'stop', 'restart', 'kill']),
	/** In how many seconds, as it was typed in the palette. */
	in: z.coerce.number().int().min(0).optional().catch(undefined)
});

export const load = page('page /admin/confirm', async ({ url, locals }) => {
	const asked = parseAddress(Question, Object.fromEntries(url.searchParams));
	return {
		action: asked.do,
		wanted: asked.in,
		operations: (await locals.app.operations.list()).map(toRow),
		damaged: await locals.app.attention.damagedJars(),
		announcementMax: ANNOUNCEMENT_MAX
	};
});
