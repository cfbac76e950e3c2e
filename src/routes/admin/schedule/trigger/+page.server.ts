import { formActions, page } from '#core/http';

export const load = page('page /admin/schedule/trigger', () => ({}));

export const actions = formActions('page /admin/schedule/trigger', {
	add: async ({ body, locals }) => {
		await locals.app.triggers.add(body, locals.actor);
		return { message: 'The trigger is on.', location: '/admin/schedule' };
	}
});
