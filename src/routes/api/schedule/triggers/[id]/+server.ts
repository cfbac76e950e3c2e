import { endpoint } from '#core/http';

export const PATCH = endpoint(
	'PATCH /api/schedule/triggers/[id]',
	async ({ params, body, locals }) => ({
		trigger: await locals.app.triggers.change(params.id, body, locals.actor)
	})
);

export const DELETE = endpoint('DELETE /api/schedule/triggers/[id]', ({ params, locals }) =>
	locals.app.triggers.remove(params.id, locals.actor)
);
