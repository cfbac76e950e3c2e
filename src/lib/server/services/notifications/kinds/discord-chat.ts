import { escapeMarkdown, shorten } from '../text.ts';
import { discordPost, discordWebhook } from './discord.ts';
import { channelKind } from './kind.ts';

const CONTENT_MAX = 2000;
/** Shows no link previews, and makes no sound. */
const QUIET = (1 << 2) | (1 << 12);

export const discordChat = channelKind<{ url: string }>({
	...discordWebhook,
	kind: 'discord-chat',
	label: 'Chat to Discord',
	hint: 'Chat, joins, deaths and advancements to a Discord channel of their own. Nothing comes back from there into the game.',
	takes: 'chat',
	send: ({ url }, { text }, { post }) =>
		post(discordPost(url, { content: shorten(escapeMarkdown(text), CONTENT_MAX), flags: QUIET }))
});
