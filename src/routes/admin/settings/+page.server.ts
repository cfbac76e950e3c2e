import { z } from 'zod';
import { wholeNumber } from '$lib/schemas/common';
import { Settings } from '$lib/schemas/settings';
import { action, page } from '$lib/server/core/http';
import type { Actions } from './$types';

/** The limits of the one schema, for a form's text fields. */
const limits = (field: 'autoRestartLimit' | 'autoRestartWindowMinutes') => {
	const { minValue, maxValue } = Settings.shape[field].unwrap();
	return { min: minValue ?? 0, max: maxValue ?? Number.MAX_SAFE_INTEGER };
};
const COUNT = limits('autoRestartLimit');
const WINDOW = limits('autoRestartWindowMinutes');

/** A checkbox that is off sends nothing. */
const SettingsForm = z.strictObject({
	autoRestart: z
		.literal('on')
		.optional()
		.transform((value) => value === 'on'),
	autoRestartLimit: wholeNumber(COUNT.min, COUNT.max),
	autoRestartWindowMinutes: wholeNumber(WINDOW.min, WINDOW.max)
});

export const load = page(async ({ locals: { app } }) => {
	const [settings, about, { software, command, problem }] = await Promise.all([
		app.settings.get(),
		app.about(),
		app.installation()
	]);
	return { settings, about, game: { software, command, problem }, limits: { COUNT, WINDOW } };
});

export const actions = {
	save: action(SettingsForm, async (patch, { locals }) => {
		await locals.app.settings.change(patch, locals.actor);
		return { message: 'Settings saved.' };
	})
} satisfies Actions;
