import {
	createDecipheriv,
	createECDH,
	createPublicKey,
	hkdfSync,
	randomBytes,
	verify
} from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

type Subscription = { endpoint: string; keys: { p256dh: string; auth: string } };
export type Pushed = {
	path: string;
	headers: IncomingHttpHeaders;
	/** Decrypted. */
	payload: Record<string, unknown>;
	claims: { aud: string; exp: number; sub: string };
	/** The public key that signed it. */
	key: string;
	bytes: number;
};

const derived = (secret: Buffer, salt: Buffer, info: Buffer, length: number) =>
	Buffer.from(hkdfSync('sha256', secret, salt, info, length));

/** What a browser does with a message (RFC 8291, 8188), written from the standards and not from our own sender. */
export function decrypt(
	body: Buffer,
	receiver: ReturnType<typeof createECDH>,
	auth: Buffer
): Buffer {
	const salt = body.subarray(0, 16);
	const recordSize = body.readUInt32BE(16);
	const idLength = body[20]!;
	const sender = body.subarray(21, 21 + idLength);
	const record = body.subarray(21 + idLength);
	if (record.length > recordSize) throw new Error('more than one record');
	const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiver.getPublicKey(), sender]);
	const secret = derived(receiver.computeSecret(sender), auth, info, 32);
	const key = derived(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
	const nonce = derived(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
	const decipher = createDecipheriv('aes-128-gcm', key, nonce);
	decipher.setAuthTag(record.subarray(-16));
	const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
	const end = padded.lastIndexOf(2);
	if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('no end');
	return padded.subarray(0, end);
}

function verified(header: string | undefined) {
	const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(header ?? '') ?? [];
	const [head = '', body = '', signature = ''] = token.split('.');
	const point = Buffer.from(key, 'base64url');
	const publicKey = createPublicKey({
		format: 'jwk',
		key: {
			...{ kty: 'EC', crv: 'P-256' },
			x: point.subarray(1, 33).toString('base64url'),
			y: point.subarray(33).toString('base64url')
		}
	});
	const signed = verify(
		'sha256',
		Buffer.from(`${head}.${body}`),
		{ key: publicKey, dsaEncoding: 'ieee-p1363' },
		Buffer.from(signature, 'base64url')
	);
	if (!signed) throw new Error('the signature is wrong');
	const parse = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
	if (parse(head).alg !== 'ES256') throw new Error('another algorithm');
	return { claims: parse(body), key };
}

/** A push service of our own: it decrypts what it gets as the browser would, and answers as scripted. */
export async function startPushService() {
	const receivers = new Map<string, { ecdh: ReturnType<typeof createECDH>; auth: Buffer }>();
	const received: Pushed[] = [];
	const problems: string[] = [];
	let status = 201;
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			try {
				const { ecdh, auth } = receivers.get(request.url!)!;
				const body = Buffer.concat(chunks);
				received.push({
					...{ path: request.url!, headers: request.headers, bytes: body.length },
					payload: JSON.parse(decrypt(body, ecdh, auth).toString()),
					...verified(request.headers.authorization)
				});
			} catch (cause) {
				problems.push(String(cause));
			}
			response.writeHead(status).end();
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		origin,
		received,
		problems,
		answer: (next: number) => void (status = next),
		/** As a browser would subscribe. */
		subscription(): Subscription {
			const ecdh = createECDH('prime256v1');
			ecdh.generateKeys();
			const auth = randomBytes(16);
			const path = `/send/${randomBytes(12).toString('hex')}`;
			receivers.set(path, { ecdh, auth });
			const p256dh = ecdh.getPublicKey('base64url');
			return { endpoint: origin + path, keys: { p256dh, auth: auth.toString('base64url') } };
		},
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		}
	};
}
