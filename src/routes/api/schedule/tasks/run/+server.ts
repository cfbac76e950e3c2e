import { TaskRef } from '$lib/schemas/task';
import { command } from '#core/http';

export const POST = command(TaskRef, ({ id }, { locals, request }) =>
	locals.app.schedule.run(id, locals.actor, request.signal)
);
