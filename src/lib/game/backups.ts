import type { Backup } from '$lib/schemas/backup';
import { noBackupIn } from '$lib/schemas/plain/no-backup';
import type { Status } from '$lib/schemas/status';
import { unseenReason } from './labels';
import { inProgress, type Holder } from './power/power';

/** How a backup came to be, in words. */
export const BACKUP_KINDS: Record<Backup['kind'], string> = {
	manual: 'By hand',
	scheduled: 'Scheduled',
	'before-change': 'Before a change'
};

/**
 * Why no backup can be made now; null when one can. The server decides again when it is asked.
 * @param busy - The operation that has the server, if it matters: what comes later waits for it anyway.
 */
export const noBackupNow = (
	status: Pick<Status, 'state' | 'online' | 'reason' | 'noBackup'>,
	busy: Holder | null
) =>
	unseenReason(status) ?? noBackupIn(status.state) ?? status.noBackup ?? (busy && inProgress(busy));
