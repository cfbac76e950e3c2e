import type { RestoreUndo } from '../backup.ts';

/** The page that says what this restore would do, and does it. */
export const restoreAddress = ({ backup, ...wish }: RestoreUndo) =>
	`/admin/backups/restore?${new URLSearchParams({ backup, ...wish })}`;
