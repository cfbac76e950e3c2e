import { ModSearch } from '$lib/schemas/mod';
import { query } from '#core/http';

export const GET = query(ModSearch, (input, { locals }) => locals.app.mods.search(input));
