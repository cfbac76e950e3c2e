import { CHAT_MESSAGE_MAX } from '$lib/schemas/chat';
import { OnePlayer } from '$lib/schemas/common';
import { toRow } from '$lib/schemas/operation';
import { formActions, page } from '#core/http';

/** In the first page; the stream and the poll bring the rest. */
const SHOWN = 200;
/** What is in progress is among them. */
const NEWEST = 5;

export const load = page('page /admin/chat', async ({ locals, url, depends }) => {
	depends('craftwarden:chat');
	const { rcon } = await locals.app.installation();
	const messages = await locals.app.chat.list(SHOWN, locals.session!.user.role);
	const refused = locals.app.rconRefusal();
	const operations = (await locals.app.operations.list(NEWEST)).map(toRow);
	return {
		...{ operations, messages, messageMax: CHAT_MESSAGE_MAX, rcon: rcon.enabled, refused },
		/** The only player who is to read it; null for everybody. */
		to: OnePlayer.safeParse(url.searchParams.get('to') ?? undefined).data ?? null,
		/** What stands in the field, to be sent or not. */
		text: url.searchParams.get('text')?.slice(0, CHAT_MESSAGE_MAX) ?? ''
	};
});

export const actions = formActions('page /admin/chat', {
	send: async ({ body, locals }) => {
		await locals.app.chat.say(body, locals.actor);
	}
});
