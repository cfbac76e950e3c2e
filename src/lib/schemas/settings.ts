import { z } from 'zod';

/** What a person changes while it runs; kept in `DATA_DIR/settings.json`. */
export const Settings = z.strictObject({
	/** Start the server again after a crash. */
	autoRestart: z.boolean().default(false),
	/** How often within `autoRestartWindowMinutes` before it is left alone. */
	autoRestartLimit: z.int().min(1).max(10).default(3),
	autoRestartWindowMinutes: z.int().min(1).max(120).default(10)
});
export type Settings = z.infer<typeof Settings>;

/** A partial change: what is absent stays. */
export const SettingsPatch = z.strictObject({
	autoRestart: z.boolean().optional(),
	autoRestartLimit: z.int().min(1).max(10).optional(),
	autoRestartWindowMinutes: z.int().min(1).max(120).optional()
});
export type SettingsPatch = z.infer<typeof SettingsPatch>;
