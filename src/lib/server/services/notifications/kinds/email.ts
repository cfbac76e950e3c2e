import { z } from 'zod';
import { shorten } from '../text.ts';
import { channelKind } from './kind.ts';

const SUBJECT_MAX = 200;
const TO_MAX = 10;
const SECRET_MAX = 500;
const PORT_MAX = 65_535;
/** A plain address without names, quotes and comments: nothing in it can end a header or begin another. */
const ADDRESS = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$/;
const HOST = /^([A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63})*\.?|[0-9a-fA-F:]{2,45})$/;

const address = z.string().trim().max(254).regex(ADDRESS, 'Give an address like name@example.org');
const addresses = z
	.string()
	.transform((text) => text.split(',').map((one) => one.trim()))
	.pipe(z.array(address).min(1).max(TO_MAX, `At most ${TO_MAX} addresses`))
	.transform((list) => list.join(', '));
const secret = z
	.string()
	.max(SECRET_MAX, `At most ${SECRET_MAX} characters`)
	.regex(/^\P{Cc}*$/u, 'On one line')
	.optional();

type EmailConfig = {
	host: string;
	port: string;
	from: string;
	to: string;
	username?: string;
	password?: string;
};

export const email = channelKind<EmailConfig>({
	kind: 'email',
	label: 'E-mail',
	hint: 'By your mail provider’s server for sending (SMTP). Many providers want a password of its own for programs, an “app password”.',
	takes: 'events',
	config: z
		.object({
			host: z.string().trim().max(253).regex(HOST, 'Give a name like smtp.example.org'),
			port: z
				.string()
				.trim()
				.regex(/^\d{1,5}$/, 'Give a number, mostly 465 or 587')
				.refine((text) => Number(text) > 0 && Number(text) <= PORT_MAX, 'From 1 to 65535')
				.default('587'),
			from: address,
			to: addresses,
			username: secret,
			password: secret
		})
		.refine(({ username, password }) => !username === !password, {
			path: ['password'],
			message: 'Give a user name and a password, or neither'
		}) as unknown as z.ZodType<EmailConfig>,
	fields: {
		host: { label: 'Mail server', placeholder: 'smtp.example.org', required: true },
		port: {
			...{ label: 'Port', value: '587', required: true },
			hint: '465 is encrypted from the start, any other port by STARTTLS.'
		},
		from: { label: 'From', placeholder: 'server@example.org', required: true },
		to: {
			...{ label: 'To', placeholder: 'you@example.org', required: true },
			hint: 'Several with commas between them.'
		},
		username: { label: 'User name', hint: 'Mostly your address.' },
		password: { label: 'Password', secret: true }
	},
	target: ({ to }) => to,
	send: ({ host, port, from, to, username, password }, { id, at, title, text, url }, { mail }) =>
		mail({
			...{ host, port: Number(port), from, to, id, at },
			login: username && password ? { username, password } : null,
			subject: shorten(title, SUBJECT_MAX),
			text: url ? `${text}\n\n${url}` : text
		})
});
