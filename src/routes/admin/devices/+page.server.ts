import { formActions, page } from '#core/http';

export const load = page('page /admin/devices', async ({ locals: { app, actor } }) => {
	const { push } = app.notifications;
	const [publicKey, devices] = await Promise.all([push.publicKey(), push.list(actor)]);
	return { publicKey, devices };
});

export const actions = formActions('page /admin/devices', {
	end: async ({ body, locals }) => {
		await locals.app.notifications.push.remove(body, locals.actor);
		return { message: 'That device gets no more notifications.' };
	}
});
