import { z } from 'zod';
import { Time } from '../common.ts';

/** Devices of one person. */
export const DEVICES_MAX = 10;

const ENDPOINT_MAX = 1000;
const base64url = (bytes: number) =>
	z
		.string()
		.regex(new RegExp(`^[\\w-]{${Math.ceil((bytes * 4) / 3)}}=*$`), 'A key of another length');

/** What `PushSubscription.toJSON()` gives in a browser. */
export const PushSubscription = z.object({
	endpoint: z.string().max(ENDPOINT_MAX, 'The address is too long'),
	expirationTime: z.number().nullish(),
	keys: z.object({
		/** A point of the curve P-256, uncompressed. */
		p256dh: base64url(65),
		auth: base64url(16)
	})
});
export type PushSubscription = z.infer<typeof PushSubscription>;
/** To end it, its address is enough. */
export const PushEnd = PushSubscription.pick({ endpoint: true });

export const DeviceId = z.string().regex(/^[0-9a-f]{16}$/, 'Unknown device');
export const DeviceRef = z.object({ id: DeviceId });

/** One browser that receives notifications; its push address is never sent. */
export const PushDevice = z.object({
	/** The first 16 hexadecimal digits of its address’s SHA-256. */
	id: DeviceId,
	/** Browser and system, from its own User-Agent. */
	name: z.string(),
	addedAt: Time,
	lastSentAt: Time.nullable(),
	waiting: z.int(),
	problem: z.string().nullable()
});
export type PushDevice = z.infer<typeof PushDevice>;

export const PushState = z.object({
	/** The application server key to subscribe with: base64url. */
	publicKey: z.string(),
	devices: z.array(PushDevice)
});
export type PushState = z.infer<typeof PushState>;
