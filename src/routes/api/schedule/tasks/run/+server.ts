import { endpoint } from '#core/http';

export const POST = endpoint('POST /api/schedule/tasks/run', ({ body, locals, request }) =>
	locals.app.schedule.run(body.id, locals.actor, request.signal)
);
