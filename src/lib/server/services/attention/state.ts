import { z } from 'zod';
import type { StateFile } from '#storage/state-file';

const Crash = z.object({
	at: z.string(),
	code: z.string().nullable(),
	message: z.string(),
	advice: z.string().nullable(),
	/** The advice is to update what it names, or to disable it; `start`: only to start it again. */
	remedy: z.enum(['update', 'start']).optional(),
	lines: z.array(z.string()),
	/** Ids of the mods that are named. */
	mods: z.array(z.string()),
	/** Their titles at that time: a mod may have been removed since. */
	titles: z.record(z.string(), z.string()).default({}),
	/** What their files were then, by the ids. */
	files: z.record(z.string(), z.string()).default({}),
	/** Their versions then, by the ids. */
	versions: z.record(z.string(), z.string()).default({}),
	/** Other versions of them, by the ids, with which it had crashed shortly before. */
	before: z.record(z.string(), z.string()).default({}),
	/** It had not come up, and another start as it was would have ended the same way. */
	keptDown: z.boolean().default(false),
	/** The server came up well since. */
	isOver: z.boolean().default(false),
	/** The name of the crash report. */
	report: z.string().nullable(),
	/** The id of the line of the log at which it ended: that stays the same in whatever file it is later. */
	line: z.string().nullable().default(null)
});
export type Crash = z.infer<typeof Crash>;

/** A mod that a crash has named. */
const Accused = z.object({
	modId: z.string().nullable(),
	sha512: z.string().nullable(),
	version: z.string().nullable(),
	/** When it crashed; `report` and `line` as of the crash. */
	at: z.string(),
	report: z.string().nullable(),
	line: z.string().nullable(),
	/** It has been disabled since. */
	off: z.boolean()
});
export type Accused = z.infer<typeof Accused>;

/** `DATA_DIR/attention.json` */
export const AttentionState = z.object({
	/** The last crash that was not part of an operation. */
	crash: Crash.nullable(),
	/** Why mods are disabled: those that the last crash names, and those of earlier ones that are disabled since. */
	accused: z.array(Accused).default([]),
	/** Keys of what somebody has looked at, newest first. */
	seen: z.array(z.string()),
	/** When something was first found, by its code: for entries that do not know it themselves. */
	since: z.record(z.string(), z.string())
});
export type AttentionState = z.infer<typeof AttentionState>;
export type AttentionFile = StateFile<AttentionState>;
export const ATTENTION_VERSION = 1;
export const ATTENTION_DEFAULTS: AttentionState = {
	crash: null,
	accused: [],
	seen: [],
	since: {}
};

export const SEEN_MAX = 100;
