import type { Backup } from '$lib/schemas/backup';

/** How a backup came to be, in words. */
export const BACKUP_KINDS: Record<Backup['kind'], string> = {
	manual: 'By hand',
	scheduled: 'Scheduled',
	'before-change': 'Before a change'
};
