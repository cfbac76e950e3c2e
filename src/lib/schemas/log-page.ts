import { z } from 'zod';
import { LogEntry, LogFile, LogsQuery } from './log.ts';

const LOG_PLACE_MAX = 40;

/** An entry and where it stands. Its text is safe to show: without codes, and nothing in it is invisible. */
export const LogHit = LogEntry.extend({
	/** For `before` and `at`. The same whenever the entry is read; a newer one with the same id takes its place. */
	id: z.string(),
	/** The file it was found in. */
	file: z.string()
});
export type LogHit = z.infer<typeof LogHit>;

export const LogPageQuery = LogsQuery.extend({
	/** A permalink: the page shows this entry and what stands around it, whatever the other fields say. */
	at: z.preprocess(
		(value) => (value === '' ? undefined : value),
		z.string().max(LOG_PLACE_MAX).optional()
	)
});
export type LogPageQuery = z.infer<typeof LogPageQuery>;

export const LogPage = z.object({
	file: z.string(),
	/** Oldest first. */
	entries: z.array(LogHit),
	/** Whether there may be more before the first one. */
	truncated: z.boolean(),
	/** Where it stopped: `before` of the next, older page. */
	next: z.string().nullable(),
	/** Sentences about what could not be read, or why it stopped. */
	notes: z.array(z.string())
});
export type LogPage = z.infer<typeof LogPage>;

export const LogFiles = z.object({
	/** Newest first. */
	files: z.array(LogFile),
	/** A sentence about what is not in the list. */
	note: z.string().nullable()
});
export type LogFiles = z.infer<typeof LogFiles>;
