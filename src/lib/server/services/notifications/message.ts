import { createHash } from 'node:crypto';
import { z } from 'zod';
import { NotificationEvent } from '#schemas/notifications/channel';

/** One message as every channel gets it; it stands in the queue like this. All text is plain. */
export const Message = z.object({
	/** The same for every try, so that a receiver can tell repetitions. */
	id: z.string(),
	/** The event, or `chat`, `summary`, `test`. */
	event: z.union([NotificationEvent, z.enum(['chat', 'summary', 'test'])]),
	/** ISO 8601. */
	at: z.string(),
	level: z.enum(['bad', 'good', 'info']),
	title: z.string(),
	text: z.string(),
	/** Back to the dashboard; null when nobody said how it is reached. */
	url: z.string().nullable(),
	/** For services that fetch one; null when nobody said how the dashboard is reached. */
	picture: z.string().nullable().default(null),
	/** The same page, for who knows where the dashboard is. */
	path: z.string().default('/admin'),
	data: z.record(z.string(), z.union([z.string(), z.number(), z.null()]))
});
export type Message = z.infer<typeof Message>;

/** Its id for services that replace an older message of the same: 32 characters of base64url. */
export const tagOf = ({ id }: Message) =>
	createHash('sha256').update(id).digest('base64url').slice(0, 32);
