import { z } from 'zod';
import { Role, Time } from './common.ts';

export const AUDIT_PAGE_MAX = 200;

/** Who did what, when, from where, with what result. */
export const AuditEntry = z.object({
	id: z.string(),
	at: Time,
	by: z.string(),
	role: Role.nullable(),
	/** Dotted, e.g. `server.stop`, `session.start`, `settings.change`. */
	action: z.string(),
	subject: z.string().nullable(),
	/** Only for superadmins. */
	address: z.string().nullable(),
	result: z.enum(['done', 'refused', 'failed']),
	detail: z.string().nullable()
});
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AuditQuery = z.object({
	limit: z.coerce.number().int().min(1).max(AUDIT_PAGE_MAX).default(50),
	/** Entries older than this one. */
	before: z.string().max(40).optional()
});
export type AuditQuery = z.infer<typeof AuditQuery>;
