import { UpdatesQuery } from '$lib/schemas/mod';
import { query } from '$lib/server/core/http';

export const GET = query(UpdatesQuery, ({ refresh }, { locals }) =>
	locals.app.mods.updates(refresh === '1')
);
