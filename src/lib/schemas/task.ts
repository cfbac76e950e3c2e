import { z } from 'zod';
import { scheduleFault, spaced } from './cron/fields.ts';
import { Time, wholeNumber } from './common.ts';
import { SNAPSHOT_KEEP_MAX } from './snapshot.ts';

export const MESSAGE_MAX = 120;
/** Longer lists of numbers than this are no schedule of a person. */
const SCHEDULE_MAX = 200;

/** Exactly 16 hexadecimal digits. */
export const TaskId = z.string().regex(/^[0-9a-fA-F]{16}$/, 'Unknown task');
export const TaskRef = z.strictObject({ id: TaskId });

export const TaskType = z.enum(['say', 'backup', 'snapshot-prune']);
export type TaskType = z.infer<typeof TaskType>;

/** A cron expression of five fields; single spaces between them, as it is written into the crontab. */
export const Schedule = z
	.string()
	.trim()
	.max(SCHEDULE_MAX, 'That is too long for a schedule')
	.transform(spaced)
	.superRefine((text, context) => {
		const message = scheduleFault(text);
		if (message) context.addIssue({ code: 'custom', message });
	});

/** What `say` announces. Quotes and backticks could end an argument of a shell: nobody has to trust our escaping alone. */
export const Announcement = z
	.string()
	.trim()
	.min(1, 'Type a message')
	.max(MESSAGE_MAX, `At most ${MESSAGE_MAX} characters`)
	// eslint-disable-next-line no-control-regex
	.regex(/^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$/, 'One line without control characters')
	.regex(/^[^'"`]*$/, 'Without quotes and backticks')
	.regex(/^[^\p{Cs}]*$/u, 'Without broken characters');

export const Keep = wholeNumber(1, SNAPSHOT_KEEP_MAX);

/** Body of `POST /api/schedule/tasks`: each type takes what it needs, and nothing else. */
export const TaskCreate = z.discriminatedUnion('type', [
	z.strictObject({ type: z.literal('say'), schedule: Schedule, message: Announcement }),
	z.strictObject({ type: z.literal('backup'), schedule: Schedule }),
	z.strictObject({ type: z.literal('snapshot-prune'), schedule: Schedule, keep: Keep })
]);
export type TaskCreate = z.infer<typeof TaskCreate>;

export const TaskToggle = z.strictObject({ id: TaskId, enabled: z.boolean() });
export type TaskToggle = z.infer<typeof TaskToggle>;

export const Task = z.object({
	id: TaskId,
	type: TaskType,
	schedule: z.string(),
	message: z.string().optional(),
	keep: z.int().optional(),
	enabled: z.boolean(),
	/** `Monday at 04:30`. */
	human: z.string(),
	/** Null when it is disabled, or never comes. */
	nextRunAt: Time.nullable()
});
export type Task = z.infer<typeof Task>;

export const TaskList = z.object({
	scheduler: z.enum(['crontab', 'embedded']),
	/** Of the machine, in which the schedules are meant: `Europe/Berlin`. */
	timeZone: z.string(),
	tasks: z.array(Task),
	/** What a person should know: the daemon does not run, a line was changed by hand. */
	problems: z.array(z.string()),
	/** Why nothing can be changed here; null when it can. */
	readOnly: z.string().nullable()
});
export type TaskList = z.infer<typeof TaskList>;

/** The answer of a run-now. */
export const TaskResult = z.object({
	ok: z.boolean(),
	exitCode: z.int(),
	durationMs: z.int(),
	output: z.string()
});
export type TaskResult = z.infer<typeof TaskResult>;

/** One line of `tasks.log`. */
export const TaskRun = z.object({
	at: Time,
	id: TaskId.nullable(),
	type: TaskType,
	result: z.enum(['done', 'failed', 'skipped']),
	exitCode: z.int(),
	durationMs: z.int(),
	detail: z.string()
});
export type TaskRun = z.infer<typeof TaskRun>;

/** What a crontab line's marker holds. */
export const TaskMarker = z.object({
	v: z.literal(1),
	id: TaskId,
	type: TaskType,
	schedule: z.string(),
	message: z.string().optional(),
	keep: z.int().optional()
});
export type TaskMarker = z.infer<typeof TaskMarker>;
