import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { hostOf, serviceAddress } from './address.ts';
import { channelKind } from './kind.ts';

const SECRET_MAX = 200;

export const webhook = channelKind<{ url: string; secret?: string }>({
	kind: 'webhook',
	label: 'Webhook',
	hint: 'A POST of JSON to a program of your own, with the event’s id in X-Craftwarden-Event. With a secret each is signed: X-Craftwarden-Signature: t=…,v1=…, the HMAC-SHA256 of the time, a dot and the body.',
	takes: 'events',
	config: z.object({
		url: serviceAddress,
		secret: z.string().max(SECRET_MAX, `At most ${SECRET_MAX} characters`).optional()
	}) as z.ZodType<{ url: string; secret?: string }>,
	fields: {
		url: { label: 'Address', placeholder: 'https://', secret: true, required: true },
		secret: { label: 'Secret for the signature', secret: true }
	},
	target: ({ url }) => hostOf(url),
	send({ url, secret }, { id, event, at, title, text, url: link, data }, { post, nowS }) {
		const body = JSON.stringify({ id, event, at, title, text, url: link, data });
		const t = nowS();
		const signature = secret && createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
		return post({
			url,
			body,
			headers: {
				'x-craftwarden-event': id,
				...(signature && { 'x-craftwarden-signature': `t=${t},v1=${signature}` })
			}
		});
	}
});
