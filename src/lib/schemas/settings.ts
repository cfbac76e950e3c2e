import { z } from 'zod';
import { checkbox, wholeNumber } from './common.ts';

const count = (min: number, max: number) => z.int().min(min).max(max);
/** Every setting, listed once, with its limits. */
const FIELDS = {
	/** Start the server again after a crash. */
	autoRestart: z.boolean(),
	/** How many times within `autoRestartWindowMinutes` before the server is left off. */
	autoRestartLimit: count(1, 10),
	autoRestartWindowMinutes: count(1, 120),
	/** A backup includes `mods/`, unless the request says otherwise. */
	backupMods: z.boolean(),
	/** A scheduled backup is skipped when nobody has played since the previous one. */
	backupSkipWhenIdle: z.boolean(),
	/** How many of the newest backups are kept. */
	backupKeepLast: count(1, 1000),
	/** For how many hours, days and weeks with a backup the newest one is also kept. */
	backupKeepHourly: count(0, 168),
	backupKeepDaily: count(0, 366),
	backupKeepWeekly: count(0, 520),
	/** One randomly chosen backup a day is read back. */
	backupVerifyDaily: z.boolean(),
	/** How long samples for the graphs are kept. */
	metricsRetentionDays: count(7, 3650),
	/** The registry is asked about every jar by its hash; otherwise only about those that came from it. */
	modsAskAboutAll: z.boolean(),
	/** Changes of mods are tried on a copy of the server first, where that is possible. */
	trialBoots: z.enum(['auto', 'never']),
	/** After a bad trial or a rollback of several mods, the one to blame is searched for. */
	culpritAuto: z.boolean()
};

/** What people can change while the dashboard runs; kept in `DATA_DIR/settings.json`. */
export const Settings = z.strictObject({
	autoRestart: FIELDS.autoRestart.default(false),
	autoRestartLimit: FIELDS.autoRestartLimit.default(3),
	autoRestartWindowMinutes: FIELDS.autoRestartWindowMinutes.default(10),
	backupMods: FIELDS.backupMods.default(false),
	backupSkipWhenIdle: FIELDS.backupSkipWhenIdle.default(true),
	backupKeepLast: FIELDS.backupKeepLast.default(5),
	backupKeepHourly: FIELDS.backupKeepHourly.default(6),
	backupKeepDaily: FIELDS.backupKeepDaily.default(7),
	backupKeepWeekly: FIELDS.backupKeepWeekly.default(4),
	backupVerifyDaily: FIELDS.backupVerifyDaily.default(true),
	metricsRetentionDays: FIELDS.metricsRetentionDays.default(400),
	modsAskAboutAll: FIELDS.modsAskAboutAll.default(true),
	trialBoots: FIELDS.trialBoots.default('auto'),
	culpritAuto: FIELDS.culpritAuto.default(true)
});
export type Settings = z.infer<typeof Settings>;

/** A partial change: absent settings stay as they are. */
export const SettingsPatch = z.strictObject(FIELDS).partial();
export type SettingsPatch = z.infer<typeof SettingsPatch>;

type NumberField = {
	[K in keyof Settings]: Settings[K] extends number ? K : never;
}[keyof Settings];
const limitsOf = (field: NumberField) => {
	const { minValue, maxValue } = FIELDS[field];
	return { min: minValue ?? 0, max: maxValue ?? Number.MAX_SAFE_INTEGER };
};
export const SETTINGS_LIMITS = {
	autoRestartLimit: limitsOf('autoRestartLimit'),
	autoRestartWindowMinutes: limitsOf('autoRestartWindowMinutes'),
	backupKeepLast: limitsOf('backupKeepLast'),
	backupKeepHourly: limitsOf('backupKeepHourly'),
	backupKeepDaily: limitsOf('backupKeepDaily'),
	backupKeepWeekly: limitsOf('backupKeepWeekly'),
	metricsRetentionDays: limitsOf('metricsRetentionDays')
} satisfies Record<NumberField, { min: number; max: number }>;
const typed = (field: NumberField) =>
	wholeNumber(SETTINGS_LIMITS[field].min, SETTINGS_LIMITS[field].max);

/** The same settings with the same limits, as the page's forms send them: each is a part of a `SettingsPatch`. */
export const SettingsForms = {
	restart: z.strictObject({
		autoRestart: checkbox,
		autoRestartLimit: typed('autoRestartLimit'),
		autoRestartWindowMinutes: typed('autoRestartWindowMinutes')
	}),
	backups: z.strictObject({
		backupMods: checkbox,
		backupSkipWhenIdle: checkbox,
		backupVerifyDaily: checkbox,
		backupKeepLast: typed('backupKeepLast'),
		backupKeepHourly: typed('backupKeepHourly'),
		backupKeepDaily: typed('backupKeepDaily'),
		backupKeepWeekly: typed('backupKeepWeekly')
	}),
	mods: z.strictObject({ modsAskAboutAll: checkbox }),
	trials: z.strictObject({ trialBoots: FIELDS.trialBoots, culpritAuto: checkbox }),
	graphs: z.strictObject({ metricsRetentionDays: typed('metricsRetentionDays') })
} satisfies Record<string, z.ZodType<SettingsPatch>>;
