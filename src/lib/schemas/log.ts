import { z } from 'zod';
import { absentWhenEmpty, Time, unlessEmpty, wholeNumber } from './common.ts';
import { LATEST_LOG, LOG_LINES_MAX, LOG_SEARCH_MAX } from './plain/limits.ts';

const LOG_LINES_DEFAULT = 500;

export const LogLevel = z.enum(['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL']);
export type LogLevel = z.infer<typeof LogLevel>;

export const LogEntry = z.object({
	/** Null when neither the line nor the file gives the time. */
	at: Time.nullable(),
	level: LogLevel,
	/** Null on a console that does not name the thread. */
	thread: z.string().nullable(),
	/** Only where the prefix has one: Forge, NeoForge. */
	logger: z.string().nullable(),
	message: z.string(),
	/**
	 * The lines without a prefix that follow: a stack trace, a table. A last line starting with `…` counts those left
	 * out.
	 */
	continuation: z.array(z.string())
});
export type LogEntry = z.infer<typeof LogEntry>;

export const LogsQuery = z.object({
	lines: wholeNumber(1, LOG_LINES_MAX).optional().default(LOG_LINES_DEFAULT),
	/** Exactly these levels, comma-separated (`WARN,ERROR`); none means all. */
	level: absentWhenEmpty(
		z
			.string()
			.max(60)
			.transform((text) => text.toUpperCase().split(','))
			.pipe(z.array(LogLevel))
			.default([])
	),
	/** Plain text, searched for in a message or its continuation, ignoring case. */
	q: z.string().max(LOG_SEARCH_MAX, `At most ${LOG_SEARCH_MAX} characters`).default(''),
	/** A name from the list of files. */
	file: absentWhenEmpty(z.string().max(255).default(LATEST_LOG)),
	/** Where an earlier page began: shows what comes before it. */
	before: unlessEmpty(z.string().max(40))
});
export type LogsQuery = z.infer<typeof LogsQuery>;

export const LogFile = z.object({
	name: z.string(),
	kind: z.enum(['log', 'archive', 'crash']),
	bytes: z.int().min(0),
	modifiedAt: Time
});
export type LogFile = z.infer<typeof LogFile>;

const LOG_PLACE_MAX = 40;

/** An entry and its position. Its text is safe to show: without codes, and with nothing invisible in it. */
export const LogHit = LogEntry.extend({
	/** For `before` and `at`. Stays the same whenever the entry is read; a newer entry with the same id replaces it. */
	id: z.string(),
	/** The file it was found in. */
	file: z.string()
});
export type LogHit = z.infer<typeof LogHit>;

export const LogPageQuery = LogsQuery.extend({
	/** A permalink: the page shows this entry and those around it, whatever the other fields say. */
	at: unlessEmpty(z.string().max(LOG_PLACE_MAX))
});
export type LogPageQuery = z.infer<typeof LogPageQuery>;

export const LogPage = z.object({
	file: z.string(),
	/** Oldest first. */
	entries: z.array(LogHit),
	/** Whether there may be more before the first one. */
	truncated: z.boolean(),
	/** Where reading stopped: `before` of the next, older page. */
	next: z.string().nullable(),
	/** Sentences about what could not be read, or why reading stopped. */
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
