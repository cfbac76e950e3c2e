import { z } from 'zod';
import { Role, Time } from './common.ts';

export const AUDIT_PAGE_MAX = 200;

/**
 * What the dashboard records: `noun.verb`, in kebab-case. `access` is a request that was refused; it is older than the
 * rule. A name never changes, because it is stored in the log files.
 */
export type AuditAction =
	| 'server.start'
	| 'server.stop'
	| 'server.restart'
	| 'server.kill'
	| 'attention.seen'
	| 'session.start'
	| 'session.end'
	| 'access'
	| 'settings.change'
	| 'operation.cancel'
	| 'setup.rcon'
	| 'setup.eula'
	| 'software.create'
	| 'software.import'
	| 'software.change'
	| 'software.java'
	| 'software.upgrade'
	| 'software.go-back'
	| 'software.remove-kept'
	| 'player.op'
	| 'player.deop'
	| 'player.whitelist-add'
	| 'player.whitelist-remove'
	| 'player.whitelist-on'
	| 'player.whitelist-off'
	| 'player.ban'
	| 'player.pardon'
	| 'player.kick'
	| 'chat.say'
	| 'console.command'
	| 'mods.install'
	| 'mods.update'
	| 'mods.enable'
	| 'mods.disable'
	| 'mods.remove'
	| 'mods.culprit'
	| 'mods.lock'
	| 'mods.unlock'
	| 'mods.share'
	| 'mods.unshare'
	| 'mods.forget-failure'
	| 'snapshots.create'
	| 'snapshots.change'
	| 'snapshots.delete'
	| 'snapshots.prune'
	| 'snapshots.restore'
	| 'backups.create'
	| 'backups.change'
	| 'backups.remove'
	| 'backups.download'
	| 'backups.verify'
	| 'backups.restore'
	| 'task.add'
	| 'task.enable'
	| 'task.disable'
	| 'task.remove'
	| 'task.change'
	| 'trigger.add'
	| 'trigger.change'
	| 'trigger.enable'
	| 'trigger.disable'
	| 'trigger.remove'
	| 'trigger.act'
	| 'task.run'
	| 'task.call-off'
	| 'notifications.add'
	| 'notifications.change'
	| 'notifications.enable'
	| 'notifications.disable'
	| 'notifications.remove'
	| 'notifications.test'
	| 'push.add'
	| 'push.remove';

/** Who did what, when, from where, with what result. */
export const AuditEntry = z.object({
	id: z.string(),
	at: Time,
	by: z.string(),
	role: Role.nullable(),
	/** An `AuditAction`; any string when read, since other versions may have written here too. */
	action: z.string(),
	subject: z.string().nullable(),
	/** For superadmins only. */
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
