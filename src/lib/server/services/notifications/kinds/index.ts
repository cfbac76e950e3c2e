import type { ChannelKindInfo } from '#schemas/notifications/channel';
import { discord } from './discord.ts';
import { discordChat } from './discord-chat.ts';
import { email } from './email.ts';
import { inbox } from './inbox.ts';
import type { ChannelKind } from './kind.ts';
import { ntfy } from './ntfy.ts';
import { webhook } from './webhook.ts';

export type { Answer, ChannelKind, Config, Mail, Outbound, Post } from './kind.ts';

/** Every kind of channel, in the order of the page. */
export const CHANNEL_KINDS: ChannelKind[] = [discord, ntfy, email, webhook, discordChat, inbox];

export const infoOf = ({
	kind,
	label,
	hint,
	takes,
	worldly,
	fields
}: ChannelKind): ChannelKindInfo => ({
	...{ kind, label, hint, takes, ...(worldly && { worldly }) },
	fields: Object.entries(fields).map(([name, field]) => ({
		name,
		...field,
		secret: field.secret ?? false,
		required: field.required ?? false
	}))
});
