import { createHash } from 'node:crypto';
import { z } from 'zod';
import {
	DeviceId,
	DEVICES_MAX,
	type PushDevice,
	type PushSubscription
} from '#schemas/notifications/push';
import { USUAL_EVENTS } from '#schemas/plain/notification-events';
import type { Actor, RecordAction } from '#core/actor';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import type { StateFile } from '#storage/state-file';
import type { Answer } from '../kinds/index.ts';
import { tagOf, type Message } from '../message.ts';
import type { Poster } from '../outbound.ts';
import type { Queue } from '../queue/index.ts';
import type { Recipient } from '../dispatcher.ts';
import { contactOf } from './contact.ts';
import { deviceName } from './device-name.ts';
import { areDeviceKeys, encryptPush } from './encrypt.ts';
import { payloadOf } from './payload.ts';
import { pushServiceOf } from './services.ts';
import { createVapid, type VapidFile } from './vapid.ts';

export { NO_VAPID, VapidFile } from './vapid.ts';

const StoredDevice = z.object({
	id: DeviceId,
	person: z.string(),
	/** Of the account at that time: a changed password ends its devices. */
	mark: z.string(),
	name: z.string(),
	addedAt: z.iso.datetime(),
	/** Of the page where it was turned on; null when the browser did not say. */
	origin: z.string().nullable().default(null),
	endpoint: z.string(),
	keys: z.object({ p256dh: z.string(), auth: z.string() })
});
type StoredDevice = z.infer<typeof StoredDevice>;
/** `DATA_DIR/notifications/devices.json`. */
export const DevicesFile = z.object({ devices: z.array(StoredDevice) });
export type DevicesFile = z.infer<typeof DevicesFile>;
export const NO_DEVICES: DevicesFile = { devices: [] };

/** Messages to the browsers of people who want them, each person for themselves. */
export interface Push {
	publicKey(): Promise<string>;
	list(by: Actor): Promise<PushDevice[]>;
	/** A browser that subscribes again replaces itself. AppError `invalid`, or `conflict` when there are too many. */
	add(subscription: PushSubscription, browser: Browser, by: Actor): Promise<PushDevice>;
	/** One of one's own; AppError `not-found`. */
	remove(which: { id: string } | { endpoint: string }, by: Actor): Promise<void>;
}

/** What a browser says of itself in the headers `User-Agent` and `Origin`. */
export type Browser = { userAgent: string | null; origin: string | null };

/** What the delivery needs of it. */
export interface PushDelivery {
	/** Those whose owner still has that account. */
	recipients(): Promise<Recipient[]>;
	/** Null when there is no such device. */
	send(id: string, message: Message, signal: AbortSignal): Promise<Answer | null>;
	/** Whether there was such a device. What waits for it is dropped afterwards, as the caller may be delivering it. */
	forget(id: string): Promise<boolean>;
}

export type PushDeps = {
	files: { devices: StateFile<DevicesFile>; vapid: StateFile<VapidFile> };
	/** Origins of push services beside those of the browsers. */
	origins: readonly string[];
	/** Whom the services may turn to, as the operator says: a mailto or an https address. */
	contact: string | null;
	publicUrl: URL | null;
	/** Changes with an account's password; null when there is no such account any more. */
	markOf: (person: string) => string | null;
};
type Deps = PushDeps & {
	queue: Pick<Queue, 'reset' | 'drop' | 'stateOf'>;
	post: Poster;
	audit: RecordAction;
	clock: Clock;
	log: { error(message: string, facts?: { cause?: unknown }): void };
};

/** An older message is not worth a sound. */
const TTL_S = 3600;
const ORIGIN_MAX = 300;

export function createPush(deps: Deps): Push & PushDelivery {
	const { files, origins, queue, post, audit, clock, log, markOf } = deps;
	const vapid = createVapid(files.vapid);
	const all = async () => (await files.devices.read()).devices;

	function shown({ id, name, addedAt }: StoredDevice): PushDevice {
		const { waiting, problem, lastSentAt } = queue.stateOf(id);
		return { id, name, addedAt, waiting, problem, lastSentAt };
	}

	async function without(lost: (device: StoredDevice) => boolean) {
		let gone: StoredDevice[] = [];
		await files.devices.update(({ devices }) => {
			gone = devices.filter(lost);
			return { devices: devices.filter((device) => !lost(device)) };
		});
		return gone;
	}
	const drop = async (gone: StoredDevice[]) => {
		for (const { id } of gone) await queue.drop(id);
	};

	return {
		publicKey: vapid.publicKey,
		async list({ name }) {
			const mark = markOf(name);
			return (await all()).filter((one) => one.person === name && one.mark === mark).map(shown);
		},
		async add({ endpoint, keys }, { userAgent, origin }, by) {
			if (!pushServiceOf(endpoint, origins)) throw unknownService(endpoint);
			if (!areDeviceKeys(keys)) throw invalid('keys', 'These keys fit no message');
			const mark = markOf(by.name);
			if (mark === null) throw new AppError('forbidden', 'There is no such account any more.');
			const device: StoredDevice = {
				...{ id: idOf(endpoint), person: by.name, mark },
				...{ name: deviceName(userAgent), addedAt: clock.now().toISOString() },
				origin: origin !== null && origin.length <= ORIGIN_MAX ? origin : null,
				...{ endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } }
			};
			// The same browser may have belonged to somebody else before.
			await drop(
				await without((one) => one.endpoint === endpoint || one.mark !== markOf(one.person))
			);
			await files.devices.update(({ devices }) => {
				if (devices.filter(({ person }) => person === by.name).length >= DEVICES_MAX)
					throw tooMany();
				return { devices: [...devices, device] };
			});
			await audit(by, 'push.add', { subject: device.name });
			await queue.reset(device.id, true);
			return shown(device);
		},
		async remove(which, by) {
			const isIt = (one: StoredDevice) =>
				one.person === by.name &&
				('id' in which ? one.id === which.id : one.endpoint === which.endpoint);
			const gone = await without(isIt);
			const [device] = gone;
			if (!device) throw new AppError('not-found', 'There is no such device of yours.');
			await drop(gone);
			await audit(by, 'push.remove', { subject: device.name });
		},

		async recipients() {
			return (await all())
				.filter(({ person, mark }) => markOf(person) === mark)
				.map(({ id }) => ({ id, kind: 'push', events: USUAL_EVENTS, enabled: true, gone: null }));
		},
		async send(id, message, signal) {
			const device = (await all()).find((one) => one.id === id);
			if (!device) return null;
			const service = pushServiceOf(device.endpoint, origins);
			if (!service || markOf(device.person) !== device.mark) return NOBODYS;
			const nowS = Math.floor(clock.now().getTime() / 1000);
			const contact = deps.contact ?? contactOf([deps.publicUrl?.origin ?? null, device.origin]);
			const request = {
				url: device.endpoint,
				body: encryptPush(payloadOf(message), device.keys),
				headers: {
					authorization: await vapid.authorization(new URL(device.endpoint), nowS, contact),
					...{ 'content-type': 'application/octet-stream', 'content-encoding': 'aes128gcm' },
					ttl: String(TTL_S),
					urgency: message.level === 'bad' ? 'high' : 'normal',
					topic: tagOf(message)
				}
			};
			return meaningOf(await post(request, service === 'added', signal));
		},
		async forget(id) {
			const gone = await without((one) => one.id === id);
			drop(gone).catch((cause) =>
				log.error('What waited for a device could not be removed', { cause })
			);
			return gone.length > 0;
		}
	};
}

const NOBODYS: Answer = {
	...{ outcome: 'gone', words: 'It no longer belongs to anybody here.' },
	...{ retryAfterMs: null, status: null, answer: null }
};

/** Lets the browser recognise its own device. */
const idOf = (endpoint: string) => createHash('sha256').update(endpoint).digest('hex').slice(0, 16);

/** 401 and 403 are about us or the clock, not about the device: it is kept. */
function meaningOf(answer: Answer): Answer {
	if (answer.status !== 401 && answer.status !== 403) return answer;
	const words = `The push service refuses us (${answer.status}). If it lasts, check the clock of this machine, set PUSH_CONTACT in .env, or turn the device off and on again.`;
	return { ...answer, outcome: 'refused', words };
}

const invalid = (path: string, message: string) =>
	new AppError('invalid', message, { issues: [{ path, message }] });
const unknownService = (endpoint: string) =>
	invalid(
		'endpoint',
		`${URL.parse(endpoint)?.host ?? 'This'} is not a push service that is known here. PUSH_ORIGINS in .env can allow it.`
	);
const tooMany = () =>
	new AppError('conflict', `You have ${DEVICES_MAX} devices already. End one first.`);
