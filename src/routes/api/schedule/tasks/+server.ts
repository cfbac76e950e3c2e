import { TaskCreate, TaskRef, TaskToggle } from '$lib/schemas/task';
import { command, endpoint, json } from '#core/http';

export const GET = endpoint(({ locals }) => locals.app.schedule.list());

export const POST = command(TaskCreate, async (task, { locals }) =>
	json({ task: await locals.app.schedule.add(task, locals.actor) }, { status: 201 })
);

export const PATCH = command(TaskToggle, async (change, { locals }) => ({
	task: await locals.app.schedule.toggle(change, locals.actor)
}));

export const DELETE = command(TaskRef, ({ id }, { locals }) =>
	locals.app.schedule.remove(id, locals.actor)
);
