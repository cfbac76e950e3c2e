import { z } from 'zod';
import { isForDay, scheduleFault, spaced } from './cron/fields.ts';
import { HOURS, PRESETS, scheduleOf } from './cron/presets.ts';
import { Time } from './common.ts';
import { OperationId } from './operation.ts';
import { TASK_KINDS, type TaskField, type TaskKind } from './tasks/index.ts';

/** No person writes a schedule with longer lists of numbers than this. */
const SCHEDULE_MAX = 200;
const DRAFT_MESSAGE_MAX = 120;
export const TASKS_MAX = 100;

/** Exactly 16 hexadecimal digits. */
export const TaskId = z.string().regex(/^[0-9a-fA-F]{16}$/, 'Unknown task');
export const TaskRef = z.strictObject({ id: TaskId });
/** The page that asks before it is removed, or run by hand. */
export const TaskQuestion = TaskRef.extend({ do: z.enum(['remove', 'run']).default('remove') });

type Kind = (typeof TASK_KINDS)[number];
export type TaskType = Kind['type'];
export const TaskType = z.enum(TASK_KINDS.map(({ type }) => type));

export const taskKind = (type: TaskType): TaskKind =>
	TASK_KINDS.find((kind) => kind.type === type)!;

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

/** The one day of a task that does not repeat, in the time zone of the schedule. */
export const TaskDay = z.iso.date('A day, as 2026-11-26');

type CreateOf<K> =
	K extends TaskKind<infer Type, infer Options>
		? z.output<
				z.ZodObject<
					Options & {
						type: z.ZodLiteral<Type>;
						schedule: z.ZodString;
						on: z.ZodOptional<z.ZodString>;
					}
				>
			>
		: never;
export type TaskCreate = CreateOf<Kind>;

const creates: z.ZodObject[] = TASK_KINDS.map(({ type, options }: TaskKind) =>
	z
		.strictObject({
			type: z.literal(type),
			schedule: Schedule,
			on: TaskDay.optional(),
			...options
		})
		.refine(({ schedule, on }) => on === undefined || isForDay(schedule as string, on as string), {
			path: ['schedule'],
			message: 'For one day alone it is that day’s: minute, hour, day, month and *, as 0 23 26 11 *'
		})
);
/** Body of `POST /api/schedule/tasks`: each type takes the options it needs, and nothing else. */
export const TaskCreate = z.discriminatedUnion(
	'type',
	creates as [z.ZodObject]
) as unknown as z.ZodType<TaskCreate>;

/** What the line of a task holds, even one that may no longer be created; null when it makes no sense at all. */
export function storedTask(type: TaskType, schedule: string, options: object): TaskCreate | null {
	const { stored, options: shape } = taskKind(type);
	const { data } = (stored ?? z.object(shape)).safeParse(options);
	return data ? ({ type, schedule, ...data } as TaskCreate) : null;
}

export type FormField = { name: string; field: TaskField; types: string[] };
/** What the form asks for: each field once, with the types that use it. */
export const FORM_FIELDS = TASK_KINDS.reduce<FormField[]>((all, { type, fields }: TaskKind) => {
	for (const [name, field] of Object.entries(fields)) {
		const known = all.find((one) => one.name === name);
		if (known) known.types.push(type);
		else all.push({ name, field, types: [type] });
	}
	return all;
}, []);

/**
 * The options for this type from a form's values. Only a text may be left empty: any other empty field counts as
 * absent.
 */
export const optionsOf = (type: TaskType, values: Record<string, unknown>) =>
	Object.fromEntries(
		Object.entries(taskKind(type).fields)
			.filter(([name, { input }]) => input === 'text' || values[name] !== '')
			.map(([name]) => [name, values[name]])
	);

const ClockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Hours and minutes, as 04:30');
const text = z.string().default('');
/** The form has the fields of every type and preset: only those of the chosen ones count. */
const TaskFields = z.object({
	type: TaskType,
	preset: z.enum(PRESETS),
	on: TaskDay.or(z.literal('')).default(''),
	time: ClockTime.or(z.literal('')),
	hours: text,
	day: text,
	cron: text,
	...Object.fromEntries(FORM_FIELDS.map(({ name }) => [name, text]))
});

function taskOf({ type, ...wish }: z.output<typeof TaskFields>, context: z.RefinementCtx) {
	const on = wish.preset === 'once' ? wish.on : undefined;
	if (on === '') {
		context.addIssue({ code: 'custom', message: 'Choose a day', path: ['on'] });
		return z.NEVER;
	}
	const schedule = scheduleOf(wish);
	const task = TaskCreate.safeParse({ type, schedule, on, ...optionsOf(type, wish) });
	if (task.success) return task.data;
	for (const { message: words, path } of task.error.issues)
		context.addIssue({ code: 'custom', message: words, path });
	return z.NEVER;
}

export const orNothing = <S extends z.ZodType>(schema: S) => schema.optional().catch(undefined);
/** A task as an address describes it: it stands in the form, for a person to check and save. Nonsense is left out. */
export const TaskDraft = z.object({
	type: orNothing(TaskType),
	preset: orNothing(z.enum(PRESETS)),
	on: orNothing(TaskDay),
	time: orNothing(ClockTime),
	/** A day of the week; for a task that runs once it may be `today` or `tomorrow`, instead of `on`. */
	day: orNothing(z.string().regex(/^([0-6]|today|tomorrow)$/)),
	hours: orNothing(z.enum(HOURS)),
	cron: orNothing(Schedule),
	/** What is wrong with it, the form says. */
	message: orNothing(z.string().max(DRAFT_MESSAGE_MAX)),
	whenEmpty: orNothing(z.enum(['only', 'wait']))
});
export type TaskDraft = z.output<typeof TaskDraft>;

export const TaskForm = TaskFields.transform(taskOf);
/** The same for a task that is there. */
export const TaskEditForm = TaskFields.extend({ id: TaskId }).transform(
	({ id, ...fields }, context) => ({
		id,
		...taskOf(fields, context)
	})
);

const optionsOfAll = Object.fromEntries(
	TASK_KINDS.flatMap(({ options }: TaskKind) => Object.entries(options)).map(([name, schema]) => [
		name,
		z.optional(schema)
	])
);
/**
 * Body of `PATCH /api/schedule/tasks`: any of the fields of a new task. With `type` its options are those given here;
 * without, the others stay, and null takes one away. In the same way `on` goes with `schedule`.
 */
export const TaskChange = z
	.strictObject({
		id: TaskId,
		enabled: z.boolean().optional(),
		type: TaskType.optional(),
		schedule: z.string().optional(),
		on: z.string().nullable().optional(),
		...Object.fromEntries(Object.keys(optionsOfAll).map((name) => [name, z.unknown().optional()]))
	})
	.refine((change) => Object.keys(change).length > 1, 'Say what to change');
export type TaskChange = {
	id: string;
	enabled?: boolean | undefined;
	type?: TaskType | undefined;
	schedule?: string | undefined;
	on?: string | null | undefined;
};

/** The task that such a change makes of this one, checked like a new one. */
export function changedTask(task: TaskCreate, change: TaskChange) {
	const { type, schedule, on } = task;
	const kept = {
		...(change.type ? { type, schedule } : task),
		on: change.schedule === undefined ? on : undefined
	};
	const merged = Object.entries({ ...kept, ...change }).filter(
		([name, value]) => !['id', 'enabled'].includes(name) && value !== null && value !== undefined
	);
	return TaskCreate.safeParse(Object.fromEntries(merged));
}

export type Task = TaskCreate & {
	id: string;
	enabled: boolean;
	human: string;
	sentence: string;
	nextRunAt: string | null;
	missed?: boolean;
};
export const Task = z.object({
	id: TaskId,
	type: TaskType,
	schedule: z.string(),
	on: TaskDay.optional(),
	...optionsOfAll,
	enabled: z.boolean(),
	/** `Monday at 04:30`. */
	human: z.string(),
	/** `Every night at 04:30, make a backup`. */
	sentence: z.string(),
	/** Null when it is disabled, over or never due. */
	nextRunAt: Time.nullable(),
	/** The time of a task that runs once has passed, and it was not started. */
	missed: z.boolean().optional()
}) as unknown as z.ZodType<Task>;

export const TaskList = z.object({
	scheduler: z.enum(['crontab', 'embedded']),
	/** The machine's time zone, which the schedules refer to: `Europe/Berlin`. */
	timeZone: z.string(),
	tasks: z.array(Task),
	/** What a person should know: the daemon is not running, a line was changed by hand. */
	problems: z.array(z.string()),
	/** Why nothing can be changed here; null when it can. */
	readOnly: z.string().nullable()
});
export type TaskList = z.infer<typeof TaskList>;

/** The answer of a run-now that began an operation. */
export const TaskBegun = z.object({ operationId: OperationId });
/** The answer of any other run-now. */
export const TaskResult = z.object({
	ok: z.boolean(),
	exitCode: z.int(),
	durationMs: z.int(),
	output: z.string(),
	/** There was nothing to do, or no moment for it: `output` says why; absent otherwise. */
	skipped: z.literal(true).optional(),
	/** It has only begun: `output` says what it waits for; absent otherwise. */
	waits: z.literal(true).optional()
});
export type TaskResult = z.infer<typeof TaskResult>;
export type TaskAnswer = TaskResult | z.infer<typeof TaskBegun>;

/** A task that has begun, and waits until it can do something. */
export const TaskWaiting = z.object({
	key: z.string().max(20),
	type: TaskType,
	since: Time,
	/** For what, in a sentence. */
	why: z.string()
});
export type TaskWaiting = z.infer<typeof TaskWaiting>;
export const TaskWaitingRef = TaskWaiting.pick({ key: true });

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

/** What a crontab line's marker holds, along with the options of its type. */
export const TaskMarker = z.looseObject({
	v: z.literal(1),
	id: TaskId,
	type: TaskType,
	schedule: z.string(),
	on: TaskDay.optional()
});
