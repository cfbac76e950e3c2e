import { ChatQuery, ChatSend } from '$lib/schemas/chat';
import { command, query } from '#core/http';

export const GET = query(ChatQuery, async ({ limit }, { locals }) => ({
	messages: await locals.app.chat.list(limit, locals.session!.user.role)
}));

export const POST = command(ChatSend, async ({ message }, { locals }) => ({
	message: await locals.app.chat.say(message, locals.actor)
}));
