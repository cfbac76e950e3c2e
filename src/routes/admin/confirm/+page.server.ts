import { z } from 'zod';
import { ANNOUNCEMENT_MAX } from '$lib/schemas/server';
import { page, parse } from '#core/http';

const Question = z.object({ deed: z.enum(['stop', 'restart', 'kill']) });

export const load = page('page /admin/confirm', ({ url }) => ({
	...parse(Question, { deed: url.searchParams.get('deed') }),
	announcementMax: ANNOUNCEMENT_MAX
}));
