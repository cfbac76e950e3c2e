import { z } from 'zod';
import { checkbox, wholeNumber } from '$lib/schemas/common';
import { Settings, type SettingsPatch } from '$lib/schemas/settings';
import { action, page } from '#core/http';
import type { Actions } from './$types';

/** The limits of the one schema, for a form's text fields. */
const NUMBERS = [
	'autoRestartLimit',
	'autoRestartWindowMinutes',
	'backupKeepLast',
	'backupKeepHourly',
	'backupKeepDaily',
	'backupKeepWeekly',
	'metricsRetentionDays'
] as const;
type NumberField = (typeof NUMBERS)[number];
type Limits = Record<NumberField, { min: number; max: number }>;
const LIMITS = Object.fromEntries(
	NUMBERS.map((field) => {
		const { minValue, maxValue } = Settings.shape[field].unwrap();
		return [field, { min: minValue ?? 0, max: maxValue ?? Number.MAX_SAFE_INTEGER }];
	})
) as Limits;
const number = (field: NumberField) => wholeNumber(LIMITS[field].min, LIMITS[field].max);

const RestartForm = z.strictObject({
	autoRestart: checkbox,
	autoRestartLimit: number('autoRestartLimit'),
	autoRestartWindowMinutes: number('autoRestartWindowMinutes')
});
const BackupsForm = z.strictObject({
	backupMods: checkbox,
	backupSkipWhenIdle: checkbox,
	backupVerifyDaily: checkbox,
	backupKeepLast: number('backupKeepLast'),
	backupKeepHourly: number('backupKeepHourly'),
	backupKeepDaily: number('backupKeepDaily'),
	backupKeepWeekly: number('backupKeepWeekly')
});

const ModsForm = z.strictObject({ modsAskAboutAll: checkbox });
const GraphsForm = z.strictObject({ metricsRetentionDays: number('metricsRetentionDays') });

export const load = page(async ({ locals: { app } }) => {
	const [settings, about, { software, command, problem }] = await Promise.all([
		app.settings.get(),
		app.about(),
		app.installation()
	]);
	return { settings, about, game: { software, command, problem }, limits: LIMITS };
});

const saved = (schema: z.ZodType<SettingsPatch>) =>
	action(schema, async (patch, { locals }) => {
		await locals.app.settings.change(patch, locals.actor);
		return { message: 'Settings saved.' };
	});

export const actions = {
	save: saved(RestartForm),
	saveMods: saved(ModsForm),
	saveBackups: saved(BackupsForm),
	saveGraphs: saved(GraphsForm)
} satisfies Actions;
