import { endpoint } from '#core/http';

export const GET = endpoint('GET /api/audit', async ({ query, locals }) => ({
	entries: await locals.app.audit.list(query, locals.session!.user.role)
}));
