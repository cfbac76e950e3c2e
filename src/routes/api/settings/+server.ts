import { SettingsPatch } from '$lib/schemas/settings';
import { command, endpoint } from '#core/http';

export const GET = endpoint(async ({ locals }) => ({ settings: await locals.app.settings.get() }));

export const PATCH = command(SettingsPatch, async (patch, { locals }) => ({
	settings: await locals.app.settings.change(patch, locals.actor)
}));
