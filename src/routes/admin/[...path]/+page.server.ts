import { page } from '#core/http';
import { error } from '@sveltejs/kit';

/** An unknown address: answered inside the dashboard, with its navigation. */
export const load = page('page /admin/[...path]', () =>
	error(404, { message: 'There is nothing at this address.', code: 'not-found' })
);
