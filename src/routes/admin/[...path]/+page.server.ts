import { page } from '#core/http';
import { error } from '@sveltejs/kit';

/** No page: told inside the dashboard, with the ways on that it has. */
export const load = page('page /admin/[...path]', () =>
	error(404, { message: 'There is nothing at this address.', code: 'not-found' })
);
