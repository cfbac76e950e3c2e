import { endpoint } from '#core/http';

export const POST = endpoint('POST /api/notifications/channels/[id]/test', ({ params, locals }) =>
	locals.app.notifications.test(params.id, locals.actor)
);
