/** What a person decides about backups, as the settings have it. */
export type BackupSettings = {
	/** `mods/` too, unless the one who asks says otherwise. */
	backupMods: boolean;
	/** A scheduled backup is skipped when nobody has played since the one before. */
	backupSkipWhenIdle: boolean;
	/** The newest so many stay. */
	backupKeepLast: number;
	/** And the newest of so many hours, days and weeks that have one. */
	backupKeepHourly: number;
	backupKeepDaily: number;
	backupKeepWeekly: number;
	/** One backup a day, by chance, is read back. */
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
