import { createCipheriv, createECDH, createPublicKey, hkdfSync, randomBytes } from 'node:crypto';

/** The browser's keys, which its messages are encrypted for. All base64url. */
export type DeviceKeys = { p256dh: string; auth: string };

const SALT_BYTES = 16;
const KEY_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const POINT_BYTES = 65;
/** Services accept at least this (RFC 8030, 7.2), and many no more. */
const RECORD_BYTES = 4096;
const HEADER_BYTES = SALT_BYTES + 4 + 1 + POINT_BYTES;
/** The last record ends with this. */
const END = Buffer.from([2]);

export const PAYLOAD_MAX_BYTES = RECORD_BYTES - HEADER_BYTES - TAG_BYTES - END.length;

const bytes = (text: string) => Buffer.from(text, 'base64url');
const hkdf = (secret: Buffer, salt: Buffer, info: Buffer, length: number) =>
	Buffer.from(hkdfSync('sha256', secret, salt, info, length));

/** Whether a message can be encrypted for these at all: the point is on the curve, the secret has its length. */
export function areDeviceKeys({ p256dh, auth }: DeviceKeys): boolean {
	const point = bytes(p256dh);
	if (point.length !== POINT_BYTES || point[0] !== 4 || bytes(auth).length !== 16) return false;
	try {
		createPublicKey({
			format: 'jwk',
			key: {
				...{ kty: 'EC', crv: 'P-256' },
				x: point.subarray(1, 33).toString('base64url'),
				y: point.subarray(33).toString('base64url')
			}
		});
		return true;
	} catch {
		return false;
	}
}

/** One message as RFC 8291 wants it: `aes128gcm` of RFC 8188, in one record, with a key pair of its own. */
export function encryptPush(payload: Buffer, { p256dh, auth }: DeviceKeys): Buffer {
	if (payload.length > PAYLOAD_MAX_BYTES) throw new RangeError('The message is too long');
	const device = bytes(p256dh);
	const sender = createECDH('prime256v1');
	const point = sender.generateKeys();
	const salt = randomBytes(SALT_BYTES);
	const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), device, point]);
	const secret = hkdf(sender.computeSecret(device), bytes(auth), keyInfo, 32);
	const key = hkdf(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), KEY_BYTES);
	const nonce = hkdf(secret, salt, Buffer.from('Content-Encoding: nonce\0'), NONCE_BYTES);
	const cipher = createCipheriv('aes-128-gcm', key, nonce);
	const head = Buffer.alloc(5);
	head.writeUInt32BE(RECORD_BYTES);
	head[4] = point.length;
	return Buffer.concat([
		...[salt, head, point],
		...[cipher.update(payload), cipher.update(END), cipher.final(), cipher.getAuthTag()]
	]);
}
