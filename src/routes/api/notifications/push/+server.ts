import { endpoint } from '#core/http';

export const GET = endpoint('GET /api/notifications/push', async ({ locals }) => {
	const { push } = locals.app.notifications;
	const [publicKey, devices] = await Promise.all([push.publicKey(), push.list(locals.actor)]);
	return { publicKey, devices };
});

export const POST = endpoint('POST /api/notifications/push', async ({ body, locals, request }) => ({
	device: await locals.app.notifications.push.add(
		body,
		{ userAgent: request.headers.get('user-agent'), origin: request.headers.get('origin') },
		locals.actor
	)
}));

export const DELETE = endpoint('DELETE /api/notifications/push', async ({ body, locals }) => {
	await locals.app.notifications.push.remove(body, locals.actor);
});
