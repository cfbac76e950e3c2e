import { begun, endpoint, json } from '#core/http';

export const POST = endpoint('POST /api/schedule/tasks/run', async ({ body, locals, request }) => {
	const answer = await locals.app.schedule.run(body.id, locals.actor, request.signal);
	return 'operationId' in answer ? begun(answer.operationId) : json(answer);
});
