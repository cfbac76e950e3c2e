import { z } from 'zod';
import { ANNOUNCEMENT_MAX } from '$lib/schemas/server';
import { page, parse } from '#core/http';

const Question = z.object({ do: z.enum(['start', 'stop', 'restart', 'kill']) });

export const load = page('page /admin/confirm', async ({ url, locals }) => ({
	action: parse(Question, { do: url.searchParams.get('do') }).do,
	damaged: await locals.app.attention.damagedJars(),
	announcementMax: ANNOUNCEMENT_MAX
}));
