import type { AuditAction, AuditEntry } from '#schemas/audit';

/** Who does something: a signed-in person, or `dashboard` and `schedule` acting by themselves. */
export type Actor = {
	name: string;
	role: 'admin' | 'superadmin' | null;
	/** Where the request came from; null when it is the program itself. */
	address: string | null;
};

export const DASHBOARD: Actor = { name: 'dashboard', role: null, address: null };
export const SCHEDULE: Actor = { name: 'schedule', role: null, address: null };

/** What an entry of the audit log says besides who did what. */
export type AuditFacts = {
	subject?: string | null;
	/** `done` by default. */
	result?: AuditEntry['result'];
	detail?: string | null;
};

/** Writes into the audit log who did what; never rejects. */
export type RecordAction = (by: Actor, action: AuditAction, facts?: AuditFacts) => Promise<void>;
