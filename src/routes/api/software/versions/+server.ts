import { endpoint } from '#core/http';

export const GET = endpoint('GET /api/software/versions', ({ query, locals }) =>
	locals.app.software.versions(query.loader)
);
