import { ANNOUNCEMENT_MAX } from '$lib/schemas/server';
import { formActions, page } from '#core/http';

export const load = page(
	'page /admin/server/back',
	async ({ locals: { app }, query: { kept, do: asked } }) => ({
		plan: await app.upgrades.planGoBack(kept),
		removing: asked === 'remove',
		announcementMax: ANNOUNCEMENT_MAX
	})
);

export const actions = formActions('page /admin/server/back', {
	goBack: async ({ body: { kept, ...wish }, locals }) => ({
		message: 'The server is going back.',
		operation: await locals.app.upgrades.goBack(kept, wish, locals.actor)
	}),
	remove: async ({ body, locals }) => {
		await locals.app.upgrades.removeKept(body.kept, locals.actor);
		return { message: 'What was kept is removed.', location: '/admin/server' };
	}
});
