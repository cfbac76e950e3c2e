import { CHAT_MESSAGE_MAX } from '$lib/schemas/chat';
import { formActions, page } from '#core/http';

/** In the first page; the stream and the poll bring the rest. */
const SHOWN = 200;

export const load = page('page /admin/chat', async ({ locals }) => {
	const { rcon } = await locals.app.installation();
	const messages = await locals.app.chat.list(SHOWN);
	return { messages, messageMax: CHAT_MESSAGE_MAX, rcon: rcon.enabled };
});

export const actions = formActions('page /admin/chat', {
	send: async ({ body, locals }) => {
		await locals.app.chat.say(body.message, locals.actor);
	}
});
