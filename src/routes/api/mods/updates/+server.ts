import { UpdatesQuery } from '$lib/schemas/mod';
import { query } from '#core/http';

export const GET = query(UpdatesQuery, ({ refresh }, { locals }) =>
	locals.app.mods.updates(refresh === '1')
);
