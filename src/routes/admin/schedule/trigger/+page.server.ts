import { TriggerDraft } from '$lib/schemas/trigger';
import { formActions, page, parse } from '#core/http';

export const load = page('page /admin/schedule/trigger', ({ url }) => ({
	draft: parse(TriggerDraft, Object.fromEntries(url.searchParams))
}));

export const actions = formActions('page /admin/schedule/trigger', {
	add: async ({ body, locals }) => {
		await locals.app.triggers.add(body, locals.actor);
		return { message: 'The trigger is on.', location: '/admin/schedule' };
	}
});
