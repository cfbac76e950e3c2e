/** What people decide about backups, as stored in the settings. */
export type BackupSettings = {
	/** Includes `mods/`, unless the request says otherwise. */
	backupMods: boolean;
	/** A scheduled backup is skipped when nobody has played since the previous one. */
	backupSkipWhenIdle: boolean;
	/** How many of the newest backups are kept. */
	backupKeepLast: number;
	/** For how many hours, days and weeks with a backup the newest one is also kept. */
	backupKeepHourly: number;
	backupKeepDaily: number;
	backupKeepWeekly: number;
	/** One randomly chosen backup a day is read back. */
	backupVerifyDaily: boolean;
};

export const BACKUP_SETTINGS: BackupSettings = {
	backupMods: false,
	backupSkipWhenIdle: true,
	backupKeepLast: 5,
	backupKeepHourly: 6,
	backupKeepDaily: 7,
	backupKeepWeekly: 4,
	backupVerifyDaily: true
};
