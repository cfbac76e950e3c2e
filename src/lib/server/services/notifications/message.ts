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
	data: z.record(z.string(), z.union([z.string(), z.number(), z.null()]))
});
export type Message = z.infer<typeof Message>;
