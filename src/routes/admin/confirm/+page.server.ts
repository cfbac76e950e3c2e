import { z } from 'zod';
import { ANNOUNCEMENT_MAX } from '$lib/schemas/server';
import { page, parse } from '#core/http';

const Question = z.object({ deed: z.enum(['start', 'stop', 'restart', 'kill']) });

export const load = page('page /admin/confirm', async ({ url, locals }) => ({
	...parse(Question, { deed: url.searchParams.get('deed') }),
	damaged: await locals.app.attention.damagedJars(),
	announcementMax: ANNOUNCEMENT_MAX
}));
