export const BACKUP_TABS = ['backups', 'snapshots'] as const;
export type BackupTab = (typeof BACKUP_TABS)[number];
