import { z } from 'zod';
import { NotificationEvent } from '#schemas/notifications/channel';

/** Something that happened, as it came in: the noise rules decide whether and when it is told. */
export const Report = z.object({
	/** The same when the same is reported again, also after a restart of the dashboard. */
	id: z.string(),
	event: NotificationEvent,
	/** What of its kind: a disk, a mod, an operation; further ones of the same subject come as one message. */
	subject: z.string(),
	/** ISO 8601. */
	at: z.string(),
	/** `begins` and `over` of something that lasts, `gone` when it ended but not well; null for what just happens. */
	lasts: z.enum(['begins', 'over', 'gone']).nullable(),
	facts: z.record(z.string(), z.union([z.string(), z.number(), z.null()]))
});
export type Report = z.infer<typeof Report>;

/** What is to be told now. */
export type Note = {
	/** The event that it is about; `also` makes it of interest to those who only chose that. */
	event: NotificationEvent;
	also: NotificationEvent[];
	/** Of several the last. */
	report: Report;
	/** How many came together. */
	count: number;
	/** The crash before a return, or the first of several. */
	first: Report | null;
	kind: 'plain' | 'still' | 'again' | 'recovered' | 'steady';
};
