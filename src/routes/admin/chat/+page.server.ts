import { CHAT_MESSAGE_MAX, ChatSend } from '$lib/schemas/chat';
import { action, page } from '#core/http';
import type { Actions } from './$types';

/** In the first page; the stream and the poll bring the rest. */
const SHOWN = 200;

export const load = page(async ({ locals }) => {
	const { rcon } = await locals.app.installation();
	const messages = await locals.app.chat.list(SHOWN, locals.session!.user.role);
	return { messages, messageMax: CHAT_MESSAGE_MAX, rcon: rcon.enabled };
});

export const actions = {
	send: action(ChatSend, async ({ message }, { locals }) => {
		await locals.app.chat.say(message, locals.actor);
	})
} satisfies Actions;
