import { endpoint } from '#core/http';

export const GET = endpoint(({ locals }) => locals.app.logs.files());
