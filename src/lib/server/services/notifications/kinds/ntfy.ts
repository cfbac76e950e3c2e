import { z } from 'zod';
import { tagOf } from '../message.ts';
import { shorten, shortenBytes } from '../text.ts';
import { hostOf, serviceAddress } from './address.ts';
import { channelKind } from './kind.ts';

/** A longer message becomes an attachment. */
const TEXT_MAX_BYTES = 4000;
const TITLE_MAX = 200;
const LOOK = {
	bad: { priority: 4, tags: ['rotating_light'] },
	good: { priority: 3, tags: ['white_check_mark'] },
	info: { priority: 3, tags: [] }
};

export const ntfy = channelKind<{ url: string; topic: string; token?: string }>({
	kind: 'ntfy',
	label: 'ntfy',
	hint: 'Messages on your phone without an account: install the app ntfy and subscribe to the same topic. Whoever knows the topic can read it, so let nobody guess it.',
	takes: 'events',
	config: z.object({
		url: serviceAddress.default('https://ntfy.sh'),
		topic: z
			.string()
			.trim()
			.regex(/^[\w-]{1,64}$/, 'Give 1 to 64 letters, digits, - and _'),
		token: z
			.string()
			.trim()
			.regex(/^[\x21-\x7e]{1,200}$/, 'Give a token as ntfy shows it')
			.optional()
	}) as z.ZodType<{ url: string; topic: string; token?: string }>,
	fields: {
		url: { label: 'Server', value: 'https://ntfy.sh', required: true },
		topic: { label: 'Topic', placeholder: 'my-server-x7Kq29', required: true },
		token: { label: 'Access token', hint: 'Only for a protected topic.', secret: true }
	},
	target: ({ url, topic }) => `${hostOf(url)}/${topic}`,
	send({ url, topic, token }, message, { post }) {
		const { title, text, url: link, picture, level } = message;
		return post({
			url: new URL('/', url).href, // the root: to the topic's own address the JSON would be the text
			...(token && { headers: { authorization: `Bearer ${token}` } }),
			body: JSON.stringify({
				topic,
				title: shorten(title, TITLE_MAX),
				message: shortenBytes(text, TEXT_MAX_BYTES),
				...LOOK[level],
				// The same again replaces what the phone shows; servers before 2.16 do not look at it.
				sequence_id: tagOf(message),
				...(link && { click: link }),
				...(picture && { icon: picture })
			})
		});
	}
});
