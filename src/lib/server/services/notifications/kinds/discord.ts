import { z } from 'zod';
import { isWorldly } from '../reach.ts';
import { escapeMarkdown, shorten } from '../text.ts';
import { hostOf, serviceAddress } from './address.ts';
import { channelKind } from './kind.ts';

const COLOURS = { bad: 0xd64545, good: 0x2f9e62, info: 0x5b7083 };
const TITLE_MAX = 256;
const TEXT_MAX = 4000;

/** Discord refuses the whole message for a name like localhost, which it does not take for an address. */
const isTakenAsLink = (link: string) => new URL(link).hostname.includes('.');

/** Discord's own address, or a proxy in front of it. */
const discordUrl = serviceAddress.refine(
	(text) => /\/api\/(v\d+\/)?webhooks\/\d+\/[\w-]+\/?(\?thread_id=\d+)?$/.test(text),
	'Copy the whole webhook URL: …/api/webhooks/…'
);

/** Waits for the message to be saved: otherwise an unsaved message would not be an error. */
export function discordPost(url: string, payload: object) {
	const to = new URL(url);
	to.searchParams.set('wait', 'true');
	const body = { ...payload, allowed_mentions: { parse: [] } };
	return { url: to.href, body: JSON.stringify(body) };
}

/** Where a channel's messages go. */
export const discordWebhook = {
	worldly: true,
	config: z.object({ url: discordUrl }),
	fields: {
		url: {
			label: 'Webhook URL',
			placeholder: 'https://discord.com/api/webhooks/…',
			secret: true,
			required: true
		}
	},
	target: ({ url }: { url: string }) => hostOf(url)
};

export const discord = channelKind<{ url: string }>({
	...discordWebhook,
	kind: 'discord',
	label: 'Discord',
	hint: 'In Discord: the channel’s settings, Integrations, Webhooks, New webhook, Copy webhook URL.',
	takes: 'events',
	send({ url }, { title, text, url: link, picture, level, at }, { post }) {
		const shown = picture && isWorldly(new URL(picture)) ? picture : null;
		const isLink = link !== null && isTakenAsLink(link);
		const inText = link !== null && !isLink ? `\n<${link}>` : '';
		return post(
			discordPost(url, {
				username: 'Craftwarden',
				...(shown && { avatar_url: shown }),
				embeds: [
					{
						title: shorten(escapeMarkdown(title), TITLE_MAX),
						description: shorten(escapeMarkdown(text), TEXT_MAX) + inText,
						color: COLOURS[level],
						timestamp: at,
						...(isLink && { url: link }),
						...(shown && { thumbnail: { url: shown } })
					}
				]
			})
		);
	}
});
