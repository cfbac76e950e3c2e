import { z } from 'zod';
import { ANNOUNCEMENT_MAX } from '$lib/schemas/server';
import { toRow } from '$lib/schemas/operation';
import { page, parseAddress } from '#core/http';

const Question = z.object({ do: z.enum(['start', 'stop', 'restart', 'kill']) });

export const load = page('page /admin/confirm', async ({ url, locals }) => ({
	action: parseAddress(Question, Object.fromEntries(url.searchParams)).do,
	operations: (await locals.app.operations.list()).map(toRow),
	damaged: await locals.app.attention.damagedJars(),
	announcementMax: ANNOUNCEMENT_MAX
}));
