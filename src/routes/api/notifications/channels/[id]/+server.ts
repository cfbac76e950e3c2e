import { endpoint } from '#core/http';

export const PATCH = endpoint(
	'PATCH /api/notifications/channels/[id]',
	async ({ params, body, locals }) => ({
		channel: await locals.app.notifications.change(params.id, body, locals.actor)
	})
);

export const DELETE = endpoint(
	'DELETE /api/notifications/channels/[id]',
	async ({ params, locals }) => {
		await locals.app.notifications.remove(params.id, locals.actor);
	}
);
