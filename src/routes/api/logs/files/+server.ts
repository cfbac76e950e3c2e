import { endpoint } from '$lib/server/core/http';

export const GET = endpoint(({ locals }) => locals.app.logs.files());
