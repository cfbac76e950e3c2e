import { z } from 'zod';
import { AuditEntry, AuditQuery } from '#schemas/audit';
import { json, page } from './define.ts';

export const activity = {
	'page /admin/activity': page({ role: 'admin' }),
	'GET /api/audit': json({
		role: 'admin',
		summary: 'Who did what, newest first',
		query: AuditQuery,
		answers: { 200: z.object({ entries: z.array(AuditEntry) }) }
	})
};
