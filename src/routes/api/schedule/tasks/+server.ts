import { endpoint } from '#core/http';

export const GET = endpoint('GET /api/schedule/tasks', ({ locals }) => locals.app.schedule.list());

export const POST = endpoint('POST /api/schedule/tasks', async ({ body, locals }) => ({
	task: await locals.app.schedule.add(body, locals.actor)
}));

export const PATCH = endpoint('PATCH /api/schedule/tasks', async ({ body, locals }) => ({
	task: await locals.app.schedule.change(body, locals.actor)
}));

export const DELETE = endpoint('DELETE /api/schedule/tasks', ({ body, locals }) =>
	locals.app.schedule.remove(body.id, locals.actor)
);
