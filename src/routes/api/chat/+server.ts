import { endpoint } from '#core/http';

export const GET = endpoint('GET /api/chat', async ({ query, locals }) => ({
	messages: await locals.app.chat.list(query.limit, locals.session!.user.role)
}));

export const POST = endpoint('POST /api/chat', async ({ body, locals }) => ({
	message: await locals.app.chat.say(body, locals.actor)
}));
