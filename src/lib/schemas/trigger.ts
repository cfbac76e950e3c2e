import { z } from 'zod';
import { wholeNumber } from './common.ts';
import {
	FORM_FIELDS,
	optionsOf,
	orNothing,
	taskKind,
	TaskId,
	TaskRun,
	TaskType,
	type FormField,
	type TaskCreate
} from './task.ts';
import { TASK_KINDS, type TaskKind } from './tasks/index.ts';
import { EVENT_KINDS, minutes, type EventKind } from './triggers/index.ts';

export const TRIGGERS_MAX = 100;
export const GAP_SECONDS = { min: 10, max: 86_400, usual: 60 };

export const TriggerRef = z.object({ id: TaskId });

type Kind = (typeof EVENT_KINDS)[number];
export type EventName = Kind['event'];
export const EventName = z.enum(EVENT_KINDS.map(({ event }) => event));
export const eventKind = (event: EventName): EventKind =>
	EVENT_KINDS.find((kind) => kind.event === event)!;

type WhenOf<K> =
	K extends EventKind<infer Event, infer Options>
		? { event: Event } & z.output<z.ZodObject<Options>>
		: never;
export type TriggerWhen = WhenOf<Kind>;
type WithoutSchedule<T> = T extends unknown ? Omit<T, 'schedule'> : never;
/** A task without its schedule. */
export type TriggerDo = WithoutSchedule<TaskCreate>;

const whens = EVENT_KINDS.map(({ event, options }: EventKind) =>
	z.strictObject({ event: z.literal(event), ...options })
);
const dos = TASK_KINDS.map(({ type, options }: TaskKind) =>
	z.strictObject({ type: z.literal(type), ...options })
);
export const TriggerWhen = z.discriminatedUnion(
	'event',
	whens as unknown as [z.ZodObject]
) as unknown as z.ZodType<TriggerWhen>;
export const TriggerDo = z.discriminatedUnion(
	'type',
	dos as unknown as [z.ZodObject]
) as unknown as z.ZodType<TriggerDo>;

const gap = wholeNumber(GAP_SECONDS.min, GAP_SECONDS.max).optional();

export const TriggerCreate = z.strictObject({
	when: TriggerWhen,
	do: TriggerDo,
	minGapSeconds: gap.default(GAP_SECONDS.usual),
	enabled: z.boolean().default(true)
});
export type TriggerCreate = z.infer<typeof TriggerCreate>;

/** Absent fields stay; `when` and `do` are replaced as a whole. */
export const TriggerPatch = z
	.strictObject({
		when: TriggerWhen.optional(),
		do: TriggerDo.optional(),
		minGapSeconds: gap,
		enabled: z.boolean().optional()
	})
	.refine((patch) => Object.keys(patch).length > 0, 'Say what to change');
export type TriggerPatch = z.infer<typeof TriggerPatch>;

/** As it is stored in `DATA_DIR/triggers.json`. */
export const StoredTrigger = TriggerCreate.extend({
	id: TaskId,
	/** The account that created it, or last changed its action: it acts with the role that account has at that moment. */
	by: z.string()
});
export type StoredTrigger = z.infer<typeof StoredTrigger>;

export const Trigger = StoredTrigger.extend({
	/** `When a backup fails, announce “Sorry”` */
	human: z.string(),
	/** Why it does not act as described, or what else people should know; null when there is nothing. */
	note: z.string().nullable(),
	last: TaskRun.pick({ at: true, result: true, detail: true }).nullable()
});
export type Trigger = z.infer<typeof Trigger>;

export const TriggerList = z.object({ triggers: z.array(Trigger) });
export type TriggerList = z.infer<typeof TriggerList>;

export const triggerWords = ({ when, do: act }: Pick<TriggerCreate, 'when' | 'do'>) =>
	`${eventKind(when.event).when(when)}, ${taskKind(act.type).does(act)}`;

/** What the form asks for about events: each field once, with the events that use it. */
export const EVENT_FIELDS = EVENT_KINDS.reduce<FormField[]>((all, { event, fields }: EventKind) => {
	for (const [name, field] of Object.entries(fields)) {
		const known = all.find((one) => one.name === name);
		if (known) known.types.push(event);
		else all.push({ name, field, types: [event] });
	}
	return all;
}, []);

/** A trigger as an address describes it: it stands in the form, for a person to check and save. Nonsense is left out. */
export const TriggerDraft = z.object({
	event: orNothing(EventName),
	minutes: orNothing(minutes),
	type: orNothing(TaskType)
});
export type TriggerDraft = z.output<typeof TriggerDraft>;

const typed = z.string().default('');
/** The form has the fields of every event and type: only those of the chosen ones count. */
const TriggerFields = z.object({
	event: EventName,
	type: TaskType,
	minGapSeconds: typed,
	...Object.fromEntries([...EVENT_FIELDS, ...FORM_FIELDS].map(({ name }) => [name, typed]))
});

function triggerOf(fields: z.output<typeof TriggerFields>, context: z.RefinementCtx) {
	const { event, type, minGapSeconds, ...values } = fields;
	const names = Object.keys(eventKind(event).fields);
	const options = Object.entries(values).filter(([name]) => names.includes(name));
	const trigger = TriggerCreate.omit({ enabled: true }).safeParse({
		when: { event, ...Object.fromEntries(options) },
		do: { type, ...optionsOf(type, values) },
		...(minGapSeconds && { minGapSeconds })
	});
	if (trigger.success) return trigger.data;
	for (const { message: words, path } of trigger.error.issues)
		context.addIssue({ code: 'custom', message: words, path: path.slice(-1) });
	return z.NEVER;
}

export const TriggerForm = TriggerFields.transform(triggerOf);
/** The same for an existing trigger. */
export const TriggerEditForm = TriggerFields.extend({ id: TaskId }).transform(
	({ id, ...fields }, context) => ({ id, ...triggerOf(fields, context) })
);
