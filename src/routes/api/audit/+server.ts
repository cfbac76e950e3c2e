import { AuditQuery } from '$lib/schemas/audit';
import { query } from '#core/http';

export const GET = query(AuditQuery, async (input, { locals }) => ({
	entries: await locals.app.audit.list(input, locals.session!.user.role)
}));
