import { z } from 'zod';
import { NotificationEvent } from '#schemas/notifications/channel';

/** Something that happened, as received: the noise rules decide whether and when it is sent. */
export const Report = z.object({
	/** The same when the same is reported again, also after a restart of the dashboard. */
	id: z.string(),
	event: NotificationEvent,
	/** Its subject: a disk, a mod, an operation; further ones of the same subject are combined. */
	subject: z.string(),
	/** ISO 8601. */
	at: z.string(),
	/** `begins` and `over` of something that lasts, `gone` when it ended but not well; null for what just happens. */
	lasts: z.enum(['begins', 'over', 'gone']).nullable(),
	facts: z.record(z.string(), z.union([z.string(), z.number(), z.null()]))
});
export type Report = z.infer<typeof Report>;

/** What is to be sent now. */
export type Note = {
	/** Its event; `also` makes it relevant to those who chose only that one. */
	event: NotificationEvent;
	also: NotificationEvent[];
	/** The last one of several. */
	report: Report;
	/** How many came together. */
	count: number;
	/** The crash before a recovery, or the first of several. */
	first: Report | null;
	kind: 'plain' | 'still' | 'again' | 'recovered' | 'steady';
};
