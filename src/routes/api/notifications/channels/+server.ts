import { endpoint } from '#core/http';

export const GET = endpoint('GET /api/notifications/channels', async ({ locals }) => {
	const { notifications } = locals.app;
	const [channels, inbox] = await Promise.all([notifications.list(), notifications.inbox()]);
	return { channels, kinds: notifications.kinds(), inbox };
});

export const POST = endpoint('POST /api/notifications/channels', async ({ body, locals }) => ({
	channel: await locals.app.notifications.create(body, locals.actor)
}));
