import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { AuditAction } from '#schemas/audit';
import {
	CHANNELS_MAX,
	NotificationChannel,
	type ChannelCreate,
	type ChannelPatch
} from '#schemas/notifications/channel';
import { USUAL_EVENTS } from '#schemas/plain/notification-events';
import { AppError, invalid } from '#core/errors';
import { CHANNEL_KINDS, type ChannelKind, type Config } from './kinds/index.ts';
import type { Queue } from './queue/index.ts';
import { refusalOf } from './reach.ts';

/** A channel with its secrets, as stored on disk and nowhere else. */
export const StoredChannel = NotificationChannel.pick({
	...{ id: true, kind: true, name: true, enabled: true, events: true, allowPrivate: true }
}).extend({
	config: z.record(z.string(), z.string()),
	/** Why it was turned off automatically. */
	gone: z.string().nullable()
});
export type StoredChannel = z.infer<typeof StoredChannel>;
/** `DATA_DIR/notifications.json`. */
export const ChannelsFile = z.object({ channels: z.array(StoredChannel) });
export type ChannelsFile = z.infer<typeof ChannelsFile>;
export const CHANNELS_VERSION = 1;

const INBOX_ID = '00000000000000d0';
/** The defaults before anybody has set anything up. */
export const firstChannels = (demo: boolean): ChannelsFile => ({
	channels: demo
		? [
				{
					...{ id: INBOX_ID, kind: 'inbox', name: 'Demo inbox', enabled: true },
					...{ events: USUAL_EVENTS, allowPrivate: false, config: {}, gone: null }
				}
			]
		: []
});

export const isActive = ({ enabled, gone }: Pick<StoredChannel, 'enabled' | 'gone'>) =>
	enabled && gone === null;

/** The kinds of this installation. */
export const kindsFor = (demo: boolean) => CHANNEL_KINDS.filter((kind) => demo || !kind.demo);

export function kindOf(name: string, demo: boolean): ChannelKind {
	const kind = kindsFor(demo).find((one) => one.kind === name);
	if (kind) return kind;
	throw invalid([{ path: 'kind', message: 'There is no such kind of channel' }]);
}

const BASICS = ['kind', 'name', 'events', 'allowPrivate', 'enabled'];
const own = (input: ChannelCreate | ChannelPatch) =>
	Object.entries(input).filter(([name]) => !BASICS.includes(name));

/** What a change is called in the audit log, and what it changed: never a value, which may be a secret. */
export function changeOf(
	before: StoredChannel,
	after: StoredChannel
): { action: AuditAction; detail: string | null } {
	const { fields } = CHANNEL_KINDS.find(({ kind }) => kind === after.kind)!;
	const parts: (readonly [string, (channel: StoredChannel) => unknown])[] = [
		['Name', ({ name }) => name],
		['Events', ({ events }) => events.join()],
		['Private addresses', ({ allowPrivate }) => allowPrivate],
		...Object.entries(fields).map(
			([name, { label }]) => [label, ({ config }: StoredChannel) => config[name]] as const
		)
	];
	const changed = parts.filter(([, of]) => of(before) !== of(after)).map(([label]) => label);
	const turned = after.enabled ? 'notifications.enable' : 'notifications.disable';
	return {
		action:
			changed.length === 0 && isActive(before) !== isActive(after)
				? turned
				: 'notifications.change',
		detail: changed.join(', ') || null
	};
}

/** What every message would be refused for is said when it is saved. */
function requireReachable(config: Config, allowPrivate: boolean) {
	const refusal = refusalOf(config, allowPrivate);
	if (refusal) throw invalid([refusal]);
}

export function newChannel(input: ChannelCreate, demo: boolean): StoredChannel {
	const kind = kindOf(input.kind, demo);
	const config = configOf(kind, {}, input);
	const allowPrivate = input.allowPrivate ?? false;
	requireReachable(config, allowPrivate);
	return {
		id: randomBytes(8).toString('hex'),
		kind: input.kind,
		name: input.name,
		enabled: input.enabled ?? true,
		events: kind.takes === 'events' ? (input.events ?? USUAL_EVENTS) : [],
		allowPrivate,
		config,
		gone: null
	};
}

/** A changed destination, or turning it on again, deserves a new try. */
export function changedChannel(before: StoredChannel, patch: ChannelPatch, demo: boolean) {
	const kind = kindOf(before.kind, demo);
	const config = configOf(kind, before.config, patch);
	const moved = JSON.stringify(config) !== JSON.stringify(before.config);
	const allowPrivate = patch.allowPrivate ?? before.allowPrivate;
	if (moved || patch.allowPrivate !== undefined) requireReachable(config, allowPrivate);
	return {
		...before,
		name: patch.name ?? before.name,
		enabled: patch.enabled ?? before.enabled,
		events: kind.takes === 'events' ? (patch.events ?? before.events) : [],
		allowPrivate,
		config,
		gone: moved || patch.enabled === true ? null : before.gone
	};
}

/** Empty values stay as they were, so that a form need not show a secret; null removes them. */
function configOf(kind: ChannelKind, before: Config, input: ChannelCreate | ChannelPatch): Config {
	const merged: Record<string, unknown> = { ...before };
	for (const [name, value] of own(input)) {
		if (!Object.hasOwn(kind.fields, name))
			throw invalid([{ path: name, message: `${kind.label} has no such field` }]);
		if (value === null) delete merged[name];
		else if (value !== '' && value !== undefined) merged[name] = String(value);
	}
	const result = kind.config.safeParse(merged);
	if (!result.success) {
		const issues = result.error.issues.map(({ path, message, code }) => {
			const name = String(path[0] ?? '');
			const missing = code === 'invalid_type' && merged[name] === undefined;
			return {
				path: name,
				message: missing ? `${kind.fields[name]?.label ?? name} is missing` : message
			};
		});
		throw invalid(issues);
	}
	return Object.fromEntries(Object.entries(result.data).filter(([, value]) => value !== undefined));
}

/** What no kind knows is better not shown. */
const secrecyOf = (kind: ChannelKind | undefined) => (name: string) => {
	const field = kind?.fields[name];
	return field ? (field.secret ?? false) : true;
};

const SECRET_MIN = 6;
/** All that is secret about it, also in parts: of an address each part that nobody guesses. */
export function secretsOf({ kind, config }: Pick<StoredChannel, 'kind' | 'config'>): string[] {
	const isSecret = secrecyOf(CHANNEL_KINDS.find((one) => one.kind === kind));
	const values = Object.entries(config).filter(([name]) => isSecret(name));
	return values
		.flatMap(([, value]) => {
			const { pathname = '', search = '' } = URL.parse(value) ?? {};
			return [value, ...pathname.split('/'), ...search.split(/[?&=]/)];
		})
		.filter((part) => part.length >= SECRET_MIN)
		.sort((a, b) => b.length - a.length);
}

export const tooMany = () =>
	new AppError('conflict', `There are ${CHANNELS_MAX} channels already. Remove one first.`);

/** What people may see of it: it contains no secret. */
export function shownChannel(
	channel: StoredChannel,
	state: Omit<ReturnType<Queue['stateOf']>, 'failingSince'>
): NotificationChannel {
	const { config, gone, ...rest } = channel;
	const kind = CHANNEL_KINDS.find((one) => one.kind === channel.kind);
	const isSecret = secrecyOf(kind);
	const names = Object.keys(config);
	const { waiting, lastSentAt } = state;
	const problem = gone ?? state.problem;
	return {
		...rest,
		target: kind?.target(config) ?? 'unknown',
		fields: Object.fromEntries(
			names.filter((name) => !isSecret(name)).map((name) => [name, config[name]!])
		),
		secrets: names.filter(isSecret),
		health: {
			state: gone ? 'gone' : !channel.enabled ? 'off' : problem ? 'trouble' : 'fine',
			...{ problem, waiting, lastSentAt }
		}
	};
}
