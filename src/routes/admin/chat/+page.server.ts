import { CHAT_LIMIT_MAX, CHAT_MESSAGE_MAX } from '$lib/schemas/chat';
import { OnePlayer } from '$lib/schemas/common';
import { toRow } from '$lib/schemas/operation-row';
import { formActions, page } from '#core/http';

/** On the first page; more are a press away. */
const SHOWN = 200;
const SEARCH_MAX = 100;
/** What is in progress is among them. */
const NEWEST = 5;

export const load = page('page /admin/chat', async ({ locals, url, depends }) => {
	depends('craftwarden:chat');
	const { rcon } = await locals.app.installation();
	const q = (url.searchParams.get('q') ?? '').trim().slice(0, SEARCH_MAX);
	const isWhole = q !== '' || url.searchParams.has('all');
	const known = await locals.app.chat.list(CHAT_LIMIT_MAX, locals.session!.user.role);
	const refused = locals.app.rconRefusal();
	const operations = (await locals.app.operations.list(NEWEST)).map(toRow);
	return {
		...{ operations, messageMax: CHAT_MESSAGE_MAX, rcon: rcon.enabled, refused },
		searchMax: SEARCH_MAX,
		messages: isWhole ? known : known.slice(-SHOWN),
		/** So many are known that came before. */
		earlier: isWhole ? 0 : Math.max(0, known.length - SHOWN),
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
