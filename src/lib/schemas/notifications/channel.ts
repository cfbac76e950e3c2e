import { z } from 'zod';
import { checkbox, oneLine, Time, yesOrNo } from '../common.ts';
import { CHANNEL_NAME_MAX, NOTIFICATION_EVENT_NAMES } from '../plain/notification-events.ts';

export const CHANNELS_MAX = 20;

export const NotificationEvent = z.enum(NOTIFICATION_EVENT_NAMES);
export type NotificationEvent = z.infer<typeof NotificationEvent>;
export const ChannelId = z.string().regex(/^[0-9a-f]{16}$/, 'Unknown channel');
export const ChannelRef = z.object({ id: ChannelId });

/** How a channel is doing. */
export const ChannelHealth = z.object({
	/** `off`: turned off by a person; `gone`: turned off because the service no longer accepts messages. */
	state: z.enum(['fine', 'trouble', 'gone', 'off']),
	/** Why, in a sentence. */
	problem: z.string().nullable(),
	/** Messages waiting to be delivered. */
	waiting: z.int(),
	lastSentAt: Time.nullable()
});

/** A destination for notifications. Its secrets are never sent. */
export const NotificationChannel = z.object({
	id: ChannelId,
	kind: z.string(),
	name: z.string(),
	enabled: z.boolean(),
	events: z.array(NotificationEvent),
	allowPrivate: z.boolean(),
	/** Its destination, for people: a host, a topic. */
	target: z.string(),
	/** The configured values that are not secret. */
	fields: z.record(z.string(), z.string()),
	/** Secrets that are set, by name. */
	secrets: z.array(z.string()),
	health: ChannelHealth
});
export type NotificationChannel = z.infer<typeof NotificationChannel>;

const name = oneLine(CHANNEL_NAME_MAX).min(1, 'Give it a name');
const events = z.array(NotificationEvent).max(NOTIFICATION_EVENT_NAMES.length);
/** What a kind needs in addition: checked by the kind itself. */
const own = z.union([z.string().max(2000, 'At most 2000 characters'), z.number(), z.null()]);

/** Partial; what the kind needs is beside it, by name. */
export type ChannelPatch = {
	name?: string | undefined;
	events?: NotificationEvent[] | undefined;
	allowPrivate?: boolean | undefined;
	enabled?: boolean | undefined;
	[field: string]: unknown;
};
export type ChannelCreate = ChannelPatch & { kind: string; name: string };

const basics = {
	events: events.optional(),
	allowPrivate: z.boolean().optional(),
	enabled: z.boolean().optional()
};
export const ChannelCreate: z.ZodType<ChannelCreate> = z
	.object({ kind: z.string().max(40), name, ...basics })
	.catchall(own);
export const ChannelPatch: z.ZodType<ChannelPatch> = z
	.object({ name: name.optional(), ...basics })
	.catchall(own);

/** The service's answer to a test. */
export const ChannelTest = z.object({
	ok: z.boolean(),
	/** HTTP status; null when there was no answer. */
	status: z.int().nullable(),
	/** In a sentence. */
	message: z.string(),
	/** The service's own words, shortened. */
	answer: z.string().nullable()
});
export type ChannelTest = z.infer<typeof ChannelTest>;

/** What the form for a kind asks for. */
export const ChannelField = z.object({
	name: z.string(),
	label: z.string(),
	hint: z.string().optional(),
	placeholder: z.string().optional(),
	/** Filled in for a new channel. */
	value: z.string().optional(),
	secret: z.boolean(),
	required: z.boolean()
});
export type ChannelField = z.infer<typeof ChannelField>;
export const ChannelKindInfo = z.object({
	kind: z.string(),
	label: z.string(),
	/** How to get the required values. */
	hint: z.string(),
	/** Whether events are chosen, or it gets the chat. */
	takes: z.enum(['events', 'chat']),
	/** It is one service of the world, in nobody's own network. */
	worldly: z.boolean().optional(),
	fields: z.array(ChannelField)
});
export type ChannelKindInfo = z.infer<typeof ChannelKindInfo>;

/** What the demo's inbox has received. */
export const InboxEntry = z.object({
	at: Time,
	channel: z.string(),
	title: z.string(),
	text: z.string(),
	url: z.string().nullable()
});
export type InboxEntry = z.infer<typeof InboxEntry>;

/** The page's query: what is being added, edited or about to be removed. */
export const NotificationsQuery = z.object({
	add: z.string().max(40).optional(),
	edit: ChannelId.optional(),
	remove: ChannelId.optional()
});

const many = z.preprocess((value) => (value === undefined ? [] : [value].flat()), events);
/** What the form sends besides the kind's fields; an empty secret stays unchanged. */
const form = {
	name,
	events: many,
	allowPrivate: checkbox,
	/** Named because it is shown again after a mistake; everything else, also an address, may be a secret. */
	topic: z.string().optional(),
	host: z.string().optional(),
	port: z.string().optional(),
	from: z.string().optional(),
	to: z.string().optional(),
	username: z.string().optional()
};
export const ChannelAddForm: z.ZodType<ChannelCreate> = z
	.object({ ...form, kind: z.string().max(40) })
	.catchall(own);
export const ChannelEditForm: z.ZodType<ChannelPatch & { id: string }> = z
	.object({ ...form, id: ChannelId })
	.catchall(own);
export const ChannelToggleForm = z.object({ id: ChannelId, enabled: yesOrNo });
