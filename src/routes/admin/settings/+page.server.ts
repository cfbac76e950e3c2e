import { SETTINGS_LIMITS, type SettingsPatch } from '$lib/schemas/settings';
import { formActions, page } from '#core/http';

export const load = page('page /admin/settings', async ({ locals: { app } }) => {
	const [settings, about, trials, { software, command, problem }] = await Promise.all([
		app.settings.get(),
		app.about(),
		app.mods.trials(),
		app.installation()
	]);
	return { settings, about, trials, game: { software, command, problem }, limits: SETTINGS_LIMITS };
});

async function save({ body, locals }: { body: SettingsPatch; locals: App.Locals }) {
	const { changed } = await locals.app.settings.change(body, locals.actor);
	return { message: changed ? 'Settings saved.' : 'Nothing was changed.' };
}

export const actions = formActions('page /admin/settings', {
	save,
	saveMods: save,
	saveTrials: save,
	saveBackups: save,
	saveGraphs: save,
	savePerformance: save
});
