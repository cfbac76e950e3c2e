import { endpoint } from '#core/http';

export const PATCH = endpoint('PATCH /api/snapshots/[id]', async ({ params, body, locals }) => ({
	snapshot: await locals.app.snapshots.change(params.id, body, locals.actor)
}));

export const DELETE = endpoint('DELETE /api/snapshots/[id]', ({ params, locals }) =>
	locals.app.snapshots.remove(params.id, locals.actor)
);
