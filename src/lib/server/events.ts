import type { AuditEntry } from '#schemas/audit';
import type { BackupVerify } from '#schemas/backup';
import type { OperationSummary } from '#schemas/operation';
import type { Settings } from '#schemas/settings';
import type { Status } from '#schemas/status';

/** What services publish on the one bus; the live stream subscribes. */
export type AppEvent =
	/** Whether it runs, or why not, has changed. */
	| { type: 'server-changed' }
	/** It crashed at `endedAt` once too often, and is not restarted; `words` say so. */
	| { type: 'gave-up'; endedAt: string; words: string }
	/** The game has accepted these words of a countdown for its players. */
	| { type: 'announced'; text: string }
	/** Files in `mods/`, or what is known about them, have changed. */
	| { type: 'mods-changed' }
	| { type: 'status'; status: Status }
	| { type: 'operation'; summary: OperationSummary }
	/** Something of one that has ended long since: it does not end again. */
	| { type: 'operation-noted'; summary: OperationSummary }
	| { type: 'settings'; settings: Settings }
	| { type: 'session-ended'; sessionId: string }
	/** One was made, also within another operation, or is gone. */
	| { type: 'backups-changed' }
	| { type: 'backup-damaged'; id: string; problem: string }
	/** A backup is being read back, or has been. */
	| { type: 'backup-verify'; verify: BackupVerify }
	/** Somebody did something, and it is in the audit log. */
	| { type: 'audited'; entry: Omit<AuditEntry, 'id'> }
	/** A finding of the monitor. */
	| { type: 'findings'; findings: Findings };

/** What nothing else reports; null when it could not be determined. */
export type Findings = {
	/** Each disk once, by the first of our folders that is on it. */
	disks: { dir: string; freeBytes: number; totalBytes: number }[];
	/** The newest good one; `at` is ISO 8601. */
	backups: { newest: { id: string; at: string; bytes: number } | null } | null;
	/** The game's version. */
	operators: { uuid: string; name: string }[] | null;
	mods: { enabled: number; disabled: number } | null;
	/** Mods for which the registry has a newer version. */
	updates: { title: string; version: string }[] | null;
};
